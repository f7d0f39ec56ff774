import type { ProgramGrammar } from '../grammar/program-grammar.ts'

/** The kinds and the order of a subcommand's operands. */
export type GitOperands =
  /** Commits, then paths. */
  | 'commits-paths'
  /** Commits, a file of a commit (`HEAD:a.txt`) or of the index (`:a.txt`), then paths. */
  | 'objects-paths'
  | 'object'
  | 'commits'
  | 'paths'
  /** Patterns of names of references. */
  | 'names'

export interface GitSubcommand extends ProgramGrammar {
  readonly takes: GitOperands
  /** Arguments to add after the subcommand. @default none */
  readonly added?: readonly string[]
  /**
   * Whether the output can show the content of files, so that denied names must be left out. A list names the options that make it
   * so. @default false
   */
  readonly shows?: boolean | ReadonlySet<string>
  /** Commit to use if none is named. @default none */
  readonly commit?: string
}

const DIFF =
  '-p -u -s -w -b -a -R -W -z -m -c -U=number -M=?number -C=?number -S=text -G=text --patch --no-patch --unified=number --raw --patch-with-raw --patch-with-stat ' +
  '--stat=?word --numstat --shortstat --dirstat=?word --cumulative --summary --compact-summary --name-only --name-status --color=?word --no-color ' +
  '--word-diff=?word --word-diff-regex=text --color-words=?text --color-moved=?word --no-renames --find-renames=?number --find-copies=?number --ignore-all-space ' +
  '--ignore-space-change --ignore-space-at-eol --ignore-blank-lines --ignore-cr-at-eol --minimal --patience --histogram --diff-algorithm=word --diff-filter=word ' +
  '--pickaxe-all --pickaxe-regex --text --full-index --abbrev=?number --function-context --inter-hunk-context=number --check --exit-code ' +
  '--quiet --no-prefix --src-prefix=text --dst-prefix=text --indent-heuristic --cc --combined-all-paths --remerge-diff'
const WALK =
  '-n=number --max-count=number --skip=number --since=text --until=text --after=text --before=text --author=text --committer=text --grep=text -i -E -F -P ' +
  '--regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp --all-match --invert-grep --merges --no-merges --first-parent --reverse --all --branches=?text ' +
  '--tags=?text --remotes=?text --date=text --date-order --topo-order --author-date-order --abbrev-commit --no-abbrev-commit --left-right --left-only ' +
  '--right-only --cherry-pick --cherry-mark --cherry --boundary --ancestry-path --full-history --dense --sparse --simplify-merges --simplify-by-decoration --parents --children ' +
  '--no-walk=?word --count --min-parents=number --max-parents=number --relative-date --pretty=?text --format=text --oneline'
const LOG = `${WALK} --graph --decorate=?word --no-decorate --source --follow -g --walk-reflogs --no-notes --show-pulls`

function namesOf(options: string): ReadonlySet<string> {
  return new Set(options.split(' ').map(option => option.split('=', 1)[0] ?? ''))
}

/** Output of these options shows, counts or searches what commits changed. */
const SHOWING = namesOf(DIFF)
const PLAIN_DIFF = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=all']
const digits = '-n'

/**
 * The subcommands of git that only read, with the options that keep it so. Left out: options that write a file, run a program,
 * compare files outside the repository, or read further names from a file.
 */
export const readingSubcommands: Readonly<Record<string, GitSubcommand>> = {
  status: {
    options:
      '-s -b -z -u=?word --short --branch --porcelain=?word --untracked-files=?word --ignored=?word --long --show-stash --ahead-behind --no-ahead-behind --renames --no-renames --column=?word --no-column',
    operands: 'text...',
    takes: 'paths',
    added: ['--ignore-submodules=all'],
  },
  diff: {
    options: `${DIFF} --cached --staged --merge-base`,
    operands: 'text...',
    takes: 'commits-paths',
    added: PLAIN_DIFF,
    shows: true,
  },
  log: {
    options: `${LOG} ${DIFF}`,
    operands: 'text...',
    takes: 'commits-paths',
    added: [...PLAIN_DIFF, '--no-notes'],
    shows: SHOWING,
    digits,
  },
  show: {
    options: `${LOG} ${DIFF}`,
    operands: 'text...',
    takes: 'objects-paths',
    added: [...PLAIN_DIFF, '--no-notes'],
    shows: true,
    commit: 'HEAD',
    digits,
  },
  blame: {
    options:
      '-L=text -w -e -l -t -s -n -f -p -c -M=?number -C=?number --show-email --porcelain --line-porcelain --date=text --since=text --root --abbrev=number --show-name --show-number --first-parent --minimal',
    operands: 'text...',
    takes: 'commits-paths',
  },
  grep: {
    options:
      '-n -i -w -v -l -L -c -h -H -E -F -G -P -o -I -a -W -p -q -z -A=number -B=number -C=number -e=text --line-number --column --ignore-case --word-regexp --invert-match --files-with-matches --name-only --files-without-match --count --extended-regexp --fixed-strings --basic-regexp --perl-regexp --only-matching --text --function-context --show-function --after-context=number --before-context=number --context=number --heading --break --color=?word --no-color --cached --untracked --max-depth=number --max-count=number --all-match --and --or --not --quiet --null',
    operands: 'text text...',
    takes: 'commits-paths',
    added: ['--no-textconv', '--no-recurse-submodules'],
    shows: true,
    replacesFirst: ['-e'],
    digits: '-C',
  },
  'ls-files': {
    options:
      '-c -d -m -o -i -s -u -k -t -v -z -x=text --cached --deleted --modified --others --ignored --stage --unmerged --killed --exclude=text --exclude-standard --full-name --error-unmatch --directory --no-empty-directory --eol --deduplicate --abbrev=?number',
    operands: 'text...',
    takes: 'paths',
    // The digest of a file would let a reader test guesses of its content.
    shows: true,
  },
  'ls-tree': {
    options: '-r -t -d -z --name-only --name-status --full-name --full-tree',
    operands: 'text text...',
    takes: 'commits-paths',
    added: ['--name-only'],
  },
  'rev-parse': {
    options:
      '-q --short=?number --abbrev-ref=?word --verify --quiet --show-toplevel --show-prefix --show-cdup --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --git-dir --absolute-git-dir --git-common-dir --symbolic --symbolic-full-name --all --branches=?text --tags=?text --remotes=?text',
    operands: 'text...',
    takes: 'names',
    dashes: false,
  },
  'rev-list': { options: WALK, operands: 'text...', takes: 'commits-paths', digits },
  'merge-base': {
    options: '-a --all --octopus --independent --is-ancestor',
    operands: 'text...',
    takes: 'commits',
  },
  describe: {
    options:
      '--tags --all --always --long --contains --exact-match --first-parent --abbrev=number --candidates=number --match=text --exclude=text --dirty=?word',
    operands: 'text...',
    takes: 'commits',
  },
  shortlog: {
    options: `${WALK} -s -n -e -c --summary --numbered --email --committer --group=word`.replace('-n=number ', ''),
    operands: 'text...',
    takes: 'commits-paths',
    // Without a commit it would read standard input.
    commit: 'HEAD',
  },
  'cat-file': { options: '-p -t -s -e', operands: 'text', takes: 'object', dashes: false },
  'show-ref': {
    options: '-d -q -s --head --heads --branches --tags --dereference --hash=?number --abbrev=?number --verify --quiet',
    operands: 'text...',
    takes: 'names',
  },
  branch: {
    options:
      '-a -r -v --all --remotes --list --show-current --verbose --sort=text --contains=?word --merged=?word --no-merged=?word --color=?word --no-color --no-column --ignore-case',
    operands: '',
    takes: 'names',
  },
  tag: {
    options:
      '-l -n=?number --list --sort=text --contains=?word --merged=?word --no-merged=?word --no-column --ignore-case',
    operands: '',
    takes: 'names',
  },
  remote: { options: '-v --verbose', operands: '', takes: 'names' },
  reflog: { options: `${WALK} --no-decorate --decorate=?word`, operands: '', takes: 'names', digits },
}

/** `git tag -l PATTERN` and `git branch --list PATTERN` list. Without the option, a name would create a tag or a branch. */
export const listingSubcommands: Readonly<Record<string, GitSubcommand>> = {
  tag: { ...readingSubcommands['tag'], operands: 'text...', takes: 'names' } as GitSubcommand,
  branch: { ...readingSubcommands['branch'], operands: 'text...', takes: 'names' } as GitSubcommand,
  stash: { options: WALK, operands: '', takes: 'names', digits },
}
