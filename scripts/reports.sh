# The end of the verb test: counts over all reports of test classes, and names tests that failed or were skipped.

# reports FILE COMMAND...: runs COMMAND with the reports that are newer than FILE.
reports() {
  newer=$1
  shift
  find "$ISLE_ROOT" \( -path '*/.isle' -o -path '*/.git' \) -prune -o -path '*/target/*-reports/TEST-*.xml' \
    -newer "$newer" -exec "$@" {} +
}

# reported FILE: each test of the reports that are newer than FILE, one a line: passed, failed or skipped, the test, the reason,
# with tabs between. The elements are counted, because a report's head leaves out the tests of all engines but one. The reason is
# an attribute or the head of a stack trace. Output of tests and stack traces are CDATA and may look like elements.
reported() {
  reports "$1" awk '
    function field(name) { return match($0, " " name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : "" }
    function ending(pattern) { return match($0, ".*" pattern) ? RLENGTH : 0 }
    function reason(   why) {
      why = field("message")
      if (why == "") { why = $0; sub(/^[^>]*>/, "", why); sub(/.*CDATA\[[A-Za-z0-9.$_]*: /, "", why) }
      gsub(/&#10;|\t/, " ", why); gsub(/&quot;/, "\"", why); gsub(/&apos;/, "\x27", why)
      gsub(/&lt;/, "<", why); gsub(/&gt;/, ">", why); gsub(/&amp;/, "\\&", why)
      return why
    }
    function tell() { if (test != "") printf "%s\t%s\t%s\n", state, test, why; test = "" }
    FNR == 1 { tell(); text = 0 }
    !text && /^ *<testcase / { tell(); test = field("classname") "." field("name"); state = "passed"; why = "" }
    !text && /^ *<(failure|error)[ >]/ { state = "failed"; why = reason() }
    !text && /^ *<skipped[ >\/]/ { state = "skipped"; why = reason() }
    { opened = ending("<!\\[CDATA\\["); closed = ending("]]>"); if (opened || closed) text = opened > closed }
    END { tell() }'
}

# tell_skipped CASES NATIVE-LOG: each test that was skipped, and why.
tell_skipped() {
  grep ' is skipped: ' "$2" | sort -u >&2
  told skipped 'is skipped' "$1"
}

# tell_failed CASES: each test that failed, and why.
tell_failed() { told failed failed "$1"; }

told() { awk -F '\t' -v state="$1" -v word="$2" '$1 == state { print $2 " " word ": " substr($3, 1, 300) }' "$3" >&2; }

# tell_slowest FILE: the ten classes that took most time, of reports newer than FILE.
tell_slowest() {
  reports "$1" awk '/<testsuite / { sub(/.*<testsuite /, "<testsuite "); print; nextfile }' |
    sed -n 's/.* name="\([^"]*\)".* time="\([0-9,.]*\)".*/\2 \1/p' | tr -d , | sort -rn | head -n 10 |
    while read -r seconds class; do printf 'slow: %8s s  %s\n' "$seconds" "$class"; done
}

# sum_up CASES NATIVE-LOG BROKEN: one line over Java's tests and the C runners' closing lines. What broke without a report, such as
# a compilation or a JVM that died, counts as one failure; a run without any test fails.
sum_up() {
  cat "$1" "$2" | awk -F '\t' -v broken="$3" -v ran="$ran" '
    NF == 3 { count[$1]++ }
    /^[0-9]+ passed, [0-9]+ failed/ { split($0, word, " "); count["passed"] += word[1]; count["failed"] += word[3]; if (word[6] ~ /^skipped/) count["skipped"] += word[5]; print }
    END {
      if (broken && !count["failed"]) count["failed"] = 1
      printf "%d passed, %d failed, %d skipped\n", count["passed"], count["failed"], count["skipped"]
      exit (count["failed"] > 0 || count["passed"] == 0 && ran)
    }'
}
