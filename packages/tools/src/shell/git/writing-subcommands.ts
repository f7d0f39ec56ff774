import type { ProgramGrammar } from '../grammar/program-grammar.ts'

const paths = 'path...'
const SEQUENCE = '--continue --abort --skip --quit'

/**
 * The subcommands of git that change a repository, with the options that run no program that the command line names. Left out:
 * those that write the content of files elsewhere (`archive`, `format-patch`, `stash show`) and interactive ones. A name of a branch
 * is judged like a path: no denied name, nothing outside.
 */
export const writingSubcommands: Readonly<Record<string, ProgramGrammar>> = {
  add: {
    options:
      '-A -u -f -n -v -N --all --update --force --dry-run --verbose --intent-to-add --ignore-errors --chmod=mode --renormalize',
    operands: paths,
  },
  commit: {
    options:
      '-m=text -a -s -q -n -F=file --message=text --all --signoff --quiet --no-verify --amend --no-edit --allow-empty --allow-empty-message --author=text --date=text --dry-run --fixup=word --squash=word --reset-author --file=file --trailer=text --no-gpg-sign',
    operands: paths,
  },
  checkout: {
    options:
      '-b=path -B=path -q -f -t --quiet --force --detach --ours --theirs --track --no-track --orphan=path --merge -m',
    operands: paths,
  },
  switch: {
    options:
      '-c=path -C=path -d -q -f -m --create=path --force-create=path --detach --quiet --discard-changes --guess --no-guess --orphan=path',
    operands: paths,
  },
  restore: { options: '-s=path -S -W -q --source=path --staged --worktree --quiet --ours --theirs', operands: paths },
  reset: { options: '-q -N --quiet --hard --soft --mixed --keep --merge', operands: paths },
  rm: { options: '-r -f -n -q --cached --force --dry-run --quiet --ignore-unmatch', operands: paths },
  mv: { options: '-f -n -v -k --force --dry-run --verbose', operands: paths },
  clean: { options: '-f -d -x -X -n -q -e=text --force --dry-run --quiet --exclude=text', operands: paths },
  stash: {
    options:
      '-m=text -u -k -q -a -S --message=text --include-untracked --keep-index --no-keep-index --index --all --staged --quiet',
    operands: 'stash path...',
  },
  merge: {
    options: `--no-ff --ff-only --ff --squash --no-commit --commit --no-edit -m=text -q --quiet -X=word --no-verify --stat -n --allow-unrelated-histories --autostash ${SEQUENCE}`,
    operands: paths,
  },
  rebase: {
    options: `--onto=path --autostash --no-autostash --root -q --quiet --no-verify --fork-point -f --force-rebase --keep-base ${SEQUENCE}`,
    operands: paths,
  },
  'cherry-pick': { options: `-x -n -s -m=number --no-commit --mainline=number --signoff ${SEQUENCE}`, operands: paths },
  revert: { options: `-n -m=number --no-commit --no-edit --mainline=number ${SEQUENCE}`, operands: paths },
  branch: {
    options:
      '-d -D -m -M -c -C -f -q -u=path -t --delete --move --copy --force --quiet --track --no-track --set-upstream-to=path --unset-upstream',
    operands: paths,
  },
  tag: { options: '-a -d -f -m=text --annotate --delete --force --message=text', operands: paths },
  push: {
    options:
      '-u -f -d -n -q -v --set-upstream --force --force-with-lease=?path --force-if-includes --tags --all --delete --dry-run --quiet --verbose --no-verify --follow-tags --prune --porcelain --atomic',
    operands: 'remote text...',
  },
  pull: {
    options:
      '-q -v -r --rebase=?word --no-rebase --ff-only --ff --no-ff --autostash --no-autostash --no-edit --tags --prune --quiet --verbose --depth=number --all',
    operands: 'remote text...',
  },
  fetch: {
    options:
      '-q -v -t -p -f -n --all --tags --no-tags --prune --prune-tags --quiet --verbose --depth=number --unshallow --dry-run --force',
    operands: 'remote text...',
  },
  clone: {
    options:
      '-q -v -n -b=path --quiet --verbose --no-checkout --branch=path --depth=number --single-branch --no-single-branch --no-tags --filter=text --shallow-since=text',
    operands: 'remote path',
  },
  init: { options: '-q -b=word --quiet --initial-branch=word', operands: 'path' },
  remote: { options: '-f -t=word', operands: 'remotes word remote' },
  config: { options: '--get --local --unset', operands: 'identity text' },
  submodule: { options: '', operands: 'submodule path...' },
  bisect: { options: '', operands: 'bisect path...', dashes: false },
  apply: {
    options:
      '-R -v -q -3 -p=number --check --stat --numstat --summary --index --cached --3way --reverse --whitespace=word --recount --allow-empty --intent-to-add',
    operands: 'file...',
  },
  gc: { options: '-q --quiet --auto --prune=?word', operands: '' },
}
