import { readFileSync } from 'node:fs'

/** Splits a table of commands at line ends. */
function list(text: string): readonly string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
}

function fileOf(name: string): readonly string[] {
  return list(readFileSync(new URL(name, import.meta.url), 'utf8'))
}

/** Commands of git that could show protected content, or run what a configuration names. */
export const GIT_ATTACKS = fileOf('git-attacks.txt')

/** Commands whose options write, run something, follow links, change the machine or read further files. */
export const OPTION_ATTACKS = fileOf('option-attacks.txt')

/**
 * Commands that the coder policy must refuse, or that must do no harm. They name everything they do: no program of the workspace is
 * at fault.
 */
export const CODER_ATTACKS = fileOf('coder-attacks.txt')

/** Ordinary commands that only read. The policies for reading allow each of them. */
export const HARMLESS = fileOf('harmless.txt')

/** Names of files that no command may read: denied, outside, or reached through a link. Not every name exists. */
const PROTECTED = list(`
  .env
  ./.env
  sub/.env
  sub/../.env
  IN/.env
  link-env
  linked/env
  .aws/credentials
  key.pem
  ../outside.txt
  OUT/outside.txt
  link-out
  link-dir/outside.txt
  linked/dir/outside.txt
  link-root/etc/passwd
  /etc/passwd
  /proc/self/environ
`)

/** Commands that show a file, in every way that their program has to be given one. */
const READERS = list(`
  cat T
  cat -- T
  cat a.txt T
  head -n1 T
  head --bytes=99 T
  tail -c99 T
  tail -f T
  tac T
  nl T
  rev T
  fold -w9 T
  cut -c1-99 T
  paste a.txt T
  sort T
  sort --files0-from=T
  uniq T
  comm a.txt T
  join a.txt T
  cmp -l a.txt T
  diff a.txt T
  diff --from-file=T a.txt
  diff -N a.txt T
  od -c T
  hexdump -C T
  grep -e . T
  grep -f T a.txt
  grep -fT a.txt
  grep --file=T a.txt
  grep -r . T
  sed -n 1p T
  sed -f T a.txt
  wc --files0-from=T
  date -f T
  date --file=T
  jq -R . T
  jq --slurpfile x T .
  file -f T
  file -m T a.txt
  md5sum T
  git diff --no-index a.txt T
  git blame --contents T a.txt
  git blame T
`)

export const READ_ATTACKS: readonly string[] = READERS.flatMap(reader =>
  PROTECTED.map(name => reader.replaceAll('T', name)),
)

/** Directories in which an agent could make git find another repository, or a hostile one. */
const GIT_DIRECTORIES = list(`
  .
  sub
  bare
  bare/refs
  parent-bare
  nested
  tree
  common
  pointer
  pointer-parent
  pointer-out
  pointer-rel
  .git
  .git/refs
`)

/** Commands of git for each of these directories, as `directory|command`. */
export const GIT_PLACES: readonly string[] = GIT_DIRECTORIES.flatMap(directory =>
  list(`
    git status
    git status --short
    git log -p
    git log -p --all
    git show HEAD
    git show HEAD:.env
    git show HEAD:outside.txt
    git show HEAD:canary.txt
    git show HEAD:../outside.txt
    git diff
    git diff HEAD
    git diff --cached
    git blame a.txt
    git grep .
    git ls-files
    git remote -v
    git branch -a
    git describe --dirty --always
  `).map(command => `${directory}|${command}`),
)
