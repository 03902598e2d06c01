# Building what is stale. A finished build is copied to .isle/dist/STAMP and instances run from that
# copy, so a build never touches files that a running instance uses. File descriptor 5 holds a lock of
# that copy; what is started from it inherits the lock, so the copy stays as long as anybody uses it.

STAMP=$ISLE_STATE/build.stamp
DIST_NAME=$ISLE_STATE/dist/current
# Exists while compiled classes may be there that no static check has seen.
QUICK=$ISLE_STATE/quick-classes

# True if anything that the build reads is newer than the last good build. No Maven: one find.
is_stale() {
  [ -f "$STAMP" ] && [ -r "$DIST_NAME" ] && [ -d "$ISLE_STATE/dist/$(cat "$DIST_NAME")" ] || return 0
  newer=$(cd "$ISLE_ROOT" && find pom.xml .mvn bundles features karaf-assembly config native-shims \
    \( -name target -o -path native-shims/build -o -path native-shims/test \
       -o -path '*/src/test' \) -prune \
    -o \( -type f -o -type d -path '*/src/*' \) -newer "$STAMP" -print -quit)
  [ -n "$newer" ]
}

quick_maven() {
  : >"$QUICK"
  maven "$@" -Dquick
}

maven() {
  log=$ISLE_STATE/build.log
  if $VERBOSE; then
    (cd "$ISLE_ROOT" && mvn -B -ntp "$@") >&2 5>&- 9>&-
    return
  fi
  (cd "$ISLE_ROOT" && mvn -B -ntp -q "$@") >"$log" 2>&1 5>&- 9>&- && return
  code=$?
  grep -E 'ERROR|error:' "$log" | head -n 25 >&2
  note "the build failed; the whole output is in $log"
  return "$code"
}

# Builds without tests and static checks, then publishes the distribution. ISLE_DIST names one that is
# used as it is, which the integration tests do.
build_if_stale() {
  need_jdk
  if [ -n "${ISLE_DIST:-}" ]; then DIST=$ISLE_DIST; return 0; fi
  is_stale || { hold_dist; return 0; }
  need_build_tools
  mkdir -p "$ISLE_STATE/dist"
  exec 7>"$ISLE_STATE/build.lock"
  flock 7
  if is_stale; then
    note "building (the first build also downloads its dependencies)"
    touch "$STAMP.new"
    quick_maven package 7>&- || exit 1
    publish "$ISLE_ROOT/karaf-assembly/target/assembly"
    mv "$STAMP.new" "$STAMP"
  fi
  exec 7>&-
  hold_dist
}

# Takes the current distribution for this launcher and all that it starts.
hold_dist() {
  DIST=$ISLE_STATE/dist/$(cat "$DIST_NAME")
  exec 5<"$DIST"
  flock -s 5 && [ -d "$DIST/lib" ] || die 1 "$DIST has just been replaced by another build; try again"
}

publish() {
  drop_unused_dists
  fresh=$(date +%Y%m%d-%H%M%S)-$$
  cp -a "$1" "$ISLE_STATE/dist/$fresh" || die 1 "the distribution cannot be copied to $ISLE_STATE/dist"
  printf '%s\n' "$fresh" >"$DIST_NAME.new" && mv "$DIST_NAME.new" "$DIST_NAME"
}

# A distribution goes once it is not the current one, no instance names it and nobody holds it.
drop_unused_dists() {
  for old in "$ISLE_STATE"/dist/*-*; do
    [ -d "$old" ] && ! is_named "${old##*/}" || continue
    (flock -n 4 && rm -rf "$old") 4<"$old"
  done
}

# is_named DISTRIBUTION: instances write the whole path of theirs.
is_named() {
  cat "$DIST_NAME" "$ISLE_STATE"/instances/*/dist "$ISLE_STATE"/private/*/dist 2>/dev/null |
    sed 's|.*/||' | grep -qxF -e "$1"
}
