# What a change can reach: `test --changed` runs these modules.

# changed_paths [REF]: what differs from REF, files that git does not know yet among it. Without REF: from what the upstream
# branch has; without such a branch from the last commit.
changed_paths() {
  need git git
  (
    cd "$ISLE_ROOT" || exit 1
    [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$ISLE_ROOT" ] || die 1 "--changed needs a checkout of git"
    base=${1:-}
    [ -n "$base" ] || base=$(git merge-base HEAD '@{upstream}' 2>/dev/null) || base=HEAD
    commit=$(git rev-parse --quiet --verify --end-of-options "$base^{commit}") || die 1 "$base is no commit of this checkout"
    git -c core.quotePath=false diff --name-only --no-renames "$commit" &&
      git -c core.quotePath=false ls-files --others --exclude-standard
  )
}

# reached: for the paths on standard input, a line a module that they reach: the module and why. A file that belongs to no
# module reaches those that read its folder; one of unknown use reaches all.
reached() {
  { known_modules; dependencies; readers; sed 's/^/path /'; } | awk '
    function add(module, reason) { if (!(module in why)) { why[module] = reason; asked[++last] = module } }
    function add_user(module, used) {
      add(module, "uses " used)
      if (!(module in spreads)) { spreads[module] = 1; asked[++last] = module }
    }
    function owner(path) {
      while (sub("/[^/]*$", "", path)) if (path in known) return path
      return ""
    }
    { word = $1; name = $2; rest = substr($0, length($1) + 2) }
    word == "module" { known[name] = 1; order[++count] = name }
    word == "uses" { users[$3] = users[$3] " " name }
    word == "reads" { reading[$3] = reading[$3] " " name }
    word == "path" {
      module = owner(rest)
      top = rest
      sub("/.*", "", top)
      if (module != "") {
        add(module, rest " has changed")
        # what only the tests of a module use ends there
        if (index(rest, module "/src/test/") != 1) spreads[module] = 1
      } else if (top in reading) {
        n = split(reading[top], names, " ")
        for (i = 1; i <= n; i++) add(names[i], "reads " rest)
      } else if (rest ~ /\.md$/) add("itests", "reads " rest)
      else if (!all) all = rest
    }
    END {
      for (at = 1; at <= last; at++) {
        if (!(asked[at] in spreads)) continue
        n = split(users[asked[at]], names, " ")
        for (i = 1; i <= n; i++) add_user(names[i], asked[at])
      }
      for (i = 1; i <= count; i++) {
        if (all) print order[i], all " can reach every module"
        else if (order[i] in why) print order[i], why[order[i]]
      }
    }'
}

# The folders of all modules: lines "module MODULE".
known_modules() { sed -n 's|.*<module>\(.*\)</module>.*|module \1|p' "$ISLE_ROOT/pom.xml"; }

# Dependencies of modules on one another: lines "uses MODULE USED".
dependencies() {
  known_modules | while read -r _ module; do
    sed -n "s|.*<artifactId>\(isle-[a-z-]*\)</artifactId>.*|$module \1|p" "$ISLE_ROOT/$module/pom.xml"
  done | awk '
    !($1 in own) { own[$1] = $2; folder[$2] = $1; next }
    { pairs[++n] = $0 }
    END { for (i = 1; i <= n; i++) { split(pairs[i], p, " "); if (p[2] in folder) print "uses", p[1], folder[p[2]] } }'
}

# Modules whose pom or tests read files that belong to no module: lines "reads MODULE TOP", TOP being a folder or file of the
# root. The integration tests read all that users see.
readers() {
  for top in docs examples config scripts isle README.md CONTRIBUTING.md; do
    printf 'reads itests %s\n' "$top"
    known_modules | while read -r _ module; do printf '%s/pom.xml\n%s/src/test\n' "$module" "$module"; done |
      (cd "$ISLE_ROOT" && xargs grep -rlE "(\.\./|\"\.\.\", \"|resolve\(\")$top[/\"<]" 2>/dev/null) |
      sed 's|/pom\.xml$||; s|/src/test/.*||' | sort -u | sed "s|.*|reads & $top|"
  done
}
