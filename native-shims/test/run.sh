#!/bin/sh
# run.sh FOLDER TEST...: runs each test program, adds up their closing lines, ends with "N passed, N failed", and ", N skipped" if there were any.
folder=$1
shift
passed=0
failed=0
skipped=0
for t in "$@"; do
    out=$("$folder/$t" 2>"$folder/$t.log")
    code=$?
    echo "$out"
    last=$(echo "$out" | tail -n 1)
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
