# sdk DIR: all that a driver, or a bundle that watches devices, is built with outside of this tree.

# What bundles in Java are compiled against, as artifact:folder; those that others need come first.
SDK_ARTIFACTS='isle-api-base:api/base isle-api-device:api/device isle-api-driver:api/driver isle-lib-kabi:lib/kabi
  isle-lib-ffi:lib/ffi isle-lib-shm:lib/shm isle-lib-agent:lib/agent'

do_sdk() {
  [ $# -eq 1 ] && [ -n "$1" ] || bad_usage "sdk takes one argument: the folder to write"
  case $1 in
    -*) bad_usage "unknown option '$1' of sdk; write ./$1 for a folder of this name" ;;
    *'
'*) bad_usage "sdk: the folder's name has a line break" ;;
  esac
  sdk_check "$1"
  build_if_stale
  build_module bundles/sdk
  for tool in jar javadoc; do
    [ -x "$JAVA_HOME/bin/$tool" ] || die 3 "$JAVA_HOME has no $tool; $JDK_HINT"
  done
  SDK=
  sdk_moved=
  trap sdk_undo EXIT
  trap 'exit 130' INT TERM HUP
  mkdir -p -- "$1" && SDK=$(CDPATH='' cd -- "$1" && pwd -P) || die 1 "$1 cannot be created"
  PART=$SDK/.part-$$
  mkdir "$PART" && sdk_fill && sdk_move || die 1 "the SDK cannot be written to $SDK"
  trap - EXIT
  note "sdk: done; the next steps are in $SDK/docs/drivers.md"
  if $JSON; then
    printf '{"sdk":"%s","version":"%s"}\n' "$(json_text "$SDK")" "$SDK_VERSION"
  else
    printf '%s\n' "$SDK"
  fi
}

# sdk_check DIR: a new or an empty folder, before anything takes long; how many folders are to be made for it.
sdk_check() {
  sdk_levels=0
  existing=$1
  while [ ! -e "$existing" ]; do
    existing=$(dirname -- "$existing")
    sdk_levels=$((sdk_levels + 1))
  done
  [ -d "$existing" ] || die 1 "$existing is not a folder"
  [ -r "$existing" ] && [ -w "$existing" ] && [ -x "$existing" ] || die 1 "$existing cannot be written to"
  [ "$sdk_levels" -gt 0 ] || [ -z "$(ls -A -- "$1")" ] || die 1 "$1 is not empty: sdk writes into a new or an empty folder"
}

sdk_move() {
  for entry in "$PART"/*; do
    name=${entry##*/}
    [ ! -e "$SDK/$name" ] && mv "$entry" "$SDK/$name" || return 1
    sdk_moved="$sdk_moved $name"
  done
  rmdir "$PART"
}

# Nothing half-done stays behind, and nothing of others goes.
sdk_undo() {
  code=$?
  if [ -n "$SDK" ]; then
    for name in $sdk_moved ".part-$$"; do
      rm -rf -- "$SDK/$name"
    done
    while [ "$sdk_levels" -gt 0 ] && rmdir -- "$SDK" 2>/dev/null; do
      sdk_levels=$((sdk_levels - 1))
      SDK=$(dirname -- "$SDK")
    done
  fi
  exit "$code"
}

sdk_fill() {
  note "sdk: header, tools and contract suite"
  mkdir "$PART/include" "$PART/lib" "$PART/lib/bin" "$PART/templates" || return 1
  cp "$ISLE_ROOT/native-shims/include/isle_kabi.h" "$ISLE_ROOT/native-shims/include/isle_tango.h" \
    "$ISLE_ROOT/native-shims/include/isle_net.h" "$ISLE_ROOT/native-shims/include/isle_spin.h" "$PART/include/" &&
    cp -R "$ISLE_ROOT/bundles/sdk/files/." "$PART/" &&
    cp "$ISLE_ROOT/scripts/java.sh" "$PART/lib/" &&
    cp "$ISLE_ROOT/bundles/sdk/target/isle-sdk-$ISLE_VERSION.jar" "$ISLE_ROOT"/bundles/sdk/target/lib/*.jar "$PART/lib/" &&
    cp "$DIST/lib/isle/bin/driver-host" "$DIST/lib/isle/bin/libisle_shim.so" "$PART/lib/bin/" &&
    cp "$DIST/lib/isle/bin/spin-cc" "$PART/bin/" && cp -R "$DIST/lib/isle/spin" "$PART/lib/" &&
    cp "$ISLE_ROOT/LICENSE" "$PART/" &&
    cp -R "$ISLE_ROOT/docs" "$PART/" || return 1
  sdk_version && sdk_repository && sdk_templates && sdk_links
}

# What only the source tree has is named, not linked; the templates have other names here.
sdk_links() {
  find "$PART/docs" "$PART/templates" -name '*.md' | while IFS= read -r page; do
    sed 's#\[\([^]]*\)\](\.\./\(examples/[^/)]*\|native-shims\)/README\.md[^)]*)#\1 (`\2` of the source tree)#g
      s#(\.\./driver-\(native\|java\)/#(../\1/#g' "$page" >"$page.new" && mv "$page.new" "$page" || exit 1
  done
}

# A digest of the artifacts is part of their version: Maven never looks again at a version that it has.
sdk_version() {
  SDK_VERSION=$ISLE_VERSION-$(for artifact in $SDK_ARTIFACTS; do cat "$(sdk_jar "${artifact%%:*}")"; done | sha256sum | cut -c 1-8)
  printf '%s\n' "$SDK_VERSION" >"$PART/VERSION"
}

sdk_jar() { printf '%s/system/io/isle/%s/%s/%s-%s.jar' "$DIST" "$1" "$ISLE_VERSION" "$1" "$ISLE_VERSION"; }

sdk_repository() {
  note "sdk: artifacts, their sources and Javadoc"
  done_before=
  set --
  for artifact in $SDK_ARTIFACTS; do
    name=${artifact%%:*}
    folder=$PART/repository/io/isle/$name/$SDK_VERSION
    base=$folder/$name-$SDK_VERSION
    mkdir -p "$folder" && cp "$(sdk_jar "$name")" "$base.jar" && sdk_pom "$name" "$done_before" >"$base.pom" || return 1
    set -- "$@" "$name" "$ISLE_ROOT/bundles/${artifact#*:}/src/main/java" "$base"
    done_before="$done_before $name"
  done
  # It runs for seconds: the optimising compiler would cost more than it gives.
  "$JAVA_HOME/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "$ISLE_ROOT/scripts/SdkArchives.java" \
    "$ISLE_VERSION" "$PART/javadoc" "$@" >&2 || return 1
  rm -rf "$PART/javadoc"
  for file in "$PART"/repository/io/isle/*/*/*; do
    sha1sum <"$file" | cut -d ' ' -f 1 >"$file.sha1" || return 1
  done
}

# sdk_pom NAME NEEDED...: each artifact may need those before it.
sdk_pom() {
  printf '<?xml version="1.0" encoding="UTF-8"?>\n<project xmlns="http://maven.apache.org/POM/4.0.0">\n'
  printf '  <modelVersion>4.0.0</modelVersion>\n  <groupId>io.isle</groupId>\n  <artifactId>%s</artifactId>\n' "$1"
  printf '  <version>%s</version>\n  <licenses>\n    <license>\n      <name>Apache-2.0</name>\n    </license>\n  </licenses>\n' "$SDK_VERSION"
  printf '  <dependencies>\n'
  for needed in $2; do
    case $1 in
      isle-api-*)
        printf '    <dependency>\n      <groupId>io.isle</groupId>\n      <artifactId>%s</artifactId>\n' "$needed"
        printf '      <version>%s</version>\n    </dependency>\n' "$SDK_VERSION"
        ;;
    esac
  done
  printf '  </dependencies>\n</project>\n'
}

# The examples are the templates; what they are built with is named by its path, so that a copy can lie anywhere.
sdk_templates() {
  note "sdk: templates"
  for kind in native java; do
    cp -R "$ISLE_ROOT/examples/driver-$kind" "$PART/templates/$kind" &&
      rm -rf "$PART/templates/$kind/build" "$PART/templates/$kind/target" || return 1
  done
  in_make=$(printf '%s' "$SDK" | sed 's/\$/$$/g; s/#/\\#/g; s/[\\&|]/\\&/g')
  in_xml=$(printf '%s' "$SDK" | sed 's/&/\&amp;/g; s/</\&lt;/g; s/[\\&|]/\\&/g')
  sed "s|^ISLE_SDK ?= .*|ISLE_SDK ?= $in_make|" "$ISLE_ROOT/examples/driver-native/Makefile" >"$PART/templates/native/Makefile" &&
    sed "s|<isle.sdk>.*</isle.sdk>|<isle.sdk>$in_xml</isle.sdk>|; s|<isle.version>.*</isle.version>|<isle.version>$SDK_VERSION</isle.version>|" \
      "$ISLE_ROOT/examples/driver-java/pom.xml" >"$PART/templates/java/pom.xml"
}
