#!/bin/sh
# run.sh FOLDER TEST... [-- TEST...]: runs test programs, as many at a time as there are processors, then those behind -- one after the
# other. Adds up their closing lines, ends with "N passed, N failed", and ", N skipped" if there were any.
folder=$1
shift
# run ARGUMENT...: of xargs; programs on standard input
run() { xargs -r -n 1 "$@" sh -c '"$0/$1" >"$0/$1.out" 2>"$0/$1.log"; echo "$?" >"$0/$1.code"' "$folder"; }
rm -f "$folder"/*.code
printf '%s\n' "$@" | sed '/^--$/,$d' | run -P "$(getconf _NPROCESSORS_ONLN)"
# a first line, because -- ends the range of sed from the second line on only
printf '%s\n' TESTS "$@" | sed '1,/^--$/d' | run
passed=0
failed=0
skipped=0
for t in "$@"; do
    [ "$t" != -- ] || continue
    cat "$folder/$t.out"
    code=$(cat "$folder/$t.code" || echo 255)
    last=$(tail -n 1 "$folder/$t.out")
    case $last in
    "${t%-test}: "*" passed, "*" failed"*)
        p=${last#*: }
        f=${p#* passed, }
        passed=$((passed + ${p%% *}))
        failed=$((failed + ${f%% *}))
        case $last in
        *" skipped")
            s=${f#* failed, }
            skipped=$((skipped + ${s%% *}))
            ;;
        esac
        ;;
    *)
        echo "$t ended without a result (exit code $code), see $folder/$t.log"
        tail -n 20 "$folder/$t.log"
        failed=$((failed + 1))
        continue
        ;;
    esac
    # 1 is a failed test, or what a sanitizer found when all had passed
    if [ "$code" -gt 1 ] || { [ "$code" -eq 1 ] && [ "${f%% *}" -eq 0 ]; }; then
        echo "$t: exit code $code, see $folder/$t.log"
        tail -n 20 "$folder/$t.log"
        failed=$((failed + 1))
    fi
done
if [ "$skipped" -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ]
