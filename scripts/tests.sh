# The verb test: runs what CI runs, tells each part and module with the time so far, then counts over all reports.

# test [unit|native|itests] [--changed [REF]]
do_tests() {
  part=all
  chosen=
  case ${1:-} in unit | native | itests) part=$1; shift ;; esac
  case ${1:-} in
    --changed)
      [ $# -le 2 ] || bad_usage "--changed takes one commit at most"
      choose "${2:-}"
      ;;
    ?*) bad_usage "test knows unit, native, itests and then --changed [REF], not '$1'" ;;
    *) [ $# -eq 0 ] || bad_usage "test takes no empty argument" ;;
  esac
  need_build_tools
  mkdir -p "$ISLE_STATE"
  began=$(date +%s)
  since=$ISLE_STATE/test.since
  native_log=$ISLE_STATE/native-tests.log
  : >"$native_log"
  : >"$ISLE_STATE/test.log"
  : >"$ISLE_STATE/unit-tests.log"
  touch "$since"
  failed=0
  ran=0
  # The compiler needs none of the packages.
  fetch_optional &
  case $part in native | all) ! is_chosen native-shims || native_make test-files || failed=1 ;; esac
  wait "$!"
  [ "$failed" -ne 0 ] || run_part || failed=1
  cases=$ISLE_STATE/test.cases
  reported "$since" >"$cases"
  tell_skipped "$cases" "$native_log"
  tell_failed "$cases"
  tell_slowest "$since"
  printf 'time: %s\n' "$(so_far)"
  sum_up "$cases" "$native_log" "$failed" || failed=1
  return "$failed"
}

run_part() {
  case $part in
    native) ! is_chosen native-shims || native_tests ;;
    unit) unit_tests package ;;
    itests) ! is_chosen itests || maven_tests verify -T1C -Disle.skip.unit=true -pl itests -am ;;
    all) if [ -z "$chosen" ]; then all_tests; else chosen_tests; fi ;;
  esac
}

# choose [REF]: keeps which modules a change can reach, one a line, and says why.
choose() {
  paths=$(changed_paths "$1") || exit
  reasons=$([ -z "$paths" ] || printf '%s\n' "$paths" | reached)
  printf '%s\n' "${reasons:-none nothing has changed}" | sed 's/ /: /; s/^/chosen: /'
  chosen=$(printf '%s\n' "${reasons:-none}" | cut -d ' ' -f 1)
}

# is_chosen MODULE: without --changed every module is.
is_chosen() { [ -z "$chosen" ] || printf '%s\n' "$chosen" | grep -qxF -e "$1"; }

# The modules whose tests are to run, one a line.
tested_modules() {
  known_modules | while read -r _ module; do
    ! is_chosen "$module" || printf '%s\n' "$module"
  done
}

# Minutes and seconds since the run began.
so_far() {
  seconds=$(($(date +%s) - began))
  printf '%d:%02d' $((seconds / 60)) $((seconds % 60))
}

progress() { printf '[%s] %s\n' "$(so_far)" "$*" >&2; }

# What some tests need besides. Elsewhere than in CI they are skipped without, and say so.
fetch_optional() {
  [ "${CI:-}" = true ] && [ "$(id -u)" -eq 0 ] && [ -z "$(opencl_driver)" ] || return 0
  # shellcheck disable=SC2086
  if ! { timeout 60 apt-get update -q && timeout 240 apt-get install -y -q $OPENCL_PACKAGES; } >"$ISLE_STATE/optional.log" 2>&1; then
    note "$OPENCL_PACKAGES cannot be installed: tests of OpenCL are skipped; see $ISLE_STATE/optional.log"
  fi
}

# A driver of OpenCL; nothing without the library that finds drivers.
opencl_driver() {
  [ -n "$(find /lib /usr/lib /usr/lib64 /usr/local/lib -maxdepth 2 -name libOpenCL.so.1 -print -quit 2>/dev/null)" ] || return 0
  find /etc/OpenCL/vendors -name '*.icd' 2>/dev/null | head -n 1
}

# native_make TARGET [ARGUMENT...]
native_make() {
  progress "C: $*"
  make -C "$ISLE_ROOT/native-shims" -s "-j$(getconf _NPROCESSORS_ONLN)" "$@" >>"$native_log" 2>&1 || { tail -n 40 "$native_log" >&2; return 1; }
}

# native_tests [RUN=beside|alone]
native_tests() {
  ran=1
  native_make test "$@" && native_make asan-test "$@"
}

# unit_tests PHASE: modules to PHASE, side by side; then the tests that need the machine for themselves, one after the other.
unit_tests() {
  [ -n "$(tested_modules)" ] || return 0
  code=0
  if [ -z "$chosen" ]; then
    maven_tests "$1" -T1C -DexcludedGroups=alone || code=1
  else
    packages=$(test_packages | joined)
    maven_tests "$1" -T1C -DexcludedGroups=alone -pl "$(tested_modules | joined)" -am "-Dtest=${packages:-None}" \
      -Dsurefire.failIfNoSpecifiedTests=false || code=1
  fi
  tests_alone || code=1
  return "$code"
}

# All modules are built and checked first, beside the C tests. Then unit tests run beside the integration tests, because each of the
# two waits often. A line through the pipe says that all modules are built, the end of the pipe without a line that the build has failed.
# Integration tests that measure time begin when unit and C tests have released their lock.
all_tests() {
  ran=1
  code=0
  lock=$ISLE_STATE/beside.lock
  { flock -s 3; native_tests RUN=beside 3>&-; } 3>"$lock" &
  native=$!
  BUILT_LINE=true maven_tests verify -T1C -Disle.skip.native=true -Disle.skip.unit=true -Disle.skip.unit.itests=false \
    "-Disle.alone.after=$lock" | { flock -s 3; read -r built || built=; tests_beside "$built"; } 3>"$lock" || code=1
  wait "$native" || code=1
  native_tests RUN=alone || code=1
  if [ "$(cat "$ISLE_STATE/test.code")" -eq 0 ]; then tests_alone "$ONLY_TESTS"; else code=1; tests_alone; fi || code=1
  return "$code"
}

# With --changed, of all parts.
chosen_tests() {
  code=0
  ! is_chosen native-shims || native_tests || code=1
  if is_chosen itests; then unit_tests verify; else unit_tests package; fi || code=1
  return "$code"
}

# Options of Maven where all modules are built: only test classes that are out of date are compiled.
ONLY_TESTS='-Dmaven.main.skip=true -Dmaven.resources.skip=true -Dbnd.skip=true -Dexec.skip=true'

# tests_beside BUILT: unit tests of all modules but itests. With BUILT, they leave all classes that the integration tests read meanwhile.
# Without, of all modules that can be built.
tests_beside() {
  if [ -z "$1" ]; then
    TEST_LOG=unit-tests maven_tests package -T1C -DexcludedGroups=alone
    return
  fi
  # shellcheck disable=SC2086
  TEST_LOG=unit-tests maven_tests test -T1C -DexcludedGroups=alone -pl "$(modules_with_tests | grep -vx itests | joined)" -am $ONLY_TESTS 3>&-
}

# tests_alone [OPTIONS]: tests that need the machine for themselves, one after the other.
tests_alone() {
  alone=$(files_alone)
  [ -n "$alone" ] || return 0
  progress "tests that run alone"
  # shellcheck disable=SC2086
  maven_tests test ${1:-} -Disle.test.jvm= -pl "$(printf '%s\n' "$alone" | sed 's|/src/test/java/.*||' | sort -u | joined)" -am \
    "-Dtest=$(printf '%s\n' "$alone" | sed 's|.*/src/test/java/||; s|\.java$||' | joined)" -Dsurefire.failIfNoSpecifiedTests=false
}

# Lines as one line, with commas.
joined() { paste -s -d , -; }

modules_with_tests() {
  tested_modules | while read -r module; do
    [ ! -d "$ISLE_ROOT/$module/src/test/java" ] || printf '%s\n' "$module"
  done
}

# Packages with unit tests, as patterns of surefire.
test_packages() {
  tested_modules | while read -r module; do
    (cd "$ISLE_ROOT/$module/src/test/java" 2>/dev/null && find . -name '*Test.java') | sed 's|^\./||; s|/[^/]*$|/*Test|'
  done | sort -u
}

# The files of tests that run while nothing else does: they race threads, or other load would disturb them.
files_alone() {
  tested_modules | while read -r module; do
    (cd "$ISLE_ROOT" && grep -rlF --include='*Test.java' '@Tag("alone")' "$module/src/test/java" 2>/dev/null)
  done
}

# maven_tests ARGUMENT...: a quick build leaves classes that no static check has seen: compile them again. TEST_LOG names its files.
maven_tests() {
  ran=1
  if [ -e "$QUICK" ]; then
    find "$ISLE_ROOT/bundles" "$ISLE_ROOT/karaf-assembly/agent" "$ISLE_ROOT/benchmarks" "$ISLE_ROOT/itests" \
      -path '*/target/classes' -prune -exec rm -rf {} +
    rm -f "$QUICK"
  fi
  {
    (cd "$ISLE_ROOT" && mvn -B -ntp -fae -Dmaven.test.failure.ignore=true "$@") 2>&1
    echo "$?" >"$ISLE_STATE/${TEST_LOG:-test}.code"
  } | follow "$ISLE_STATE/${TEST_LOG:-test}.log"
  return "$(cat "$ISLE_STATE/${TEST_LOG:-test}.code")"
}

# follow LOG: keeps Maven's output, and tells each module, each test class and each error as it comes. With BUILT_LINE, standard
# output gets a line when the last module, itests, begins.
follow() {
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$1"
    case $line in
      '[INFO] Building isle'*']')
        module=${line#'[INFO] Building '}
        progress "${module%% *} [${line##*[}"
        [ -z "${BUILT_LINE:-}" ] || [ "${module%% *}" != isle-itests ] || echo built
        ;;
      *'Tests run:'*'Time elapsed'* | '[ERROR]'* | *' BUILD '*) progress "${line#'[INFO] '}" ;;
    esac
  done
}
