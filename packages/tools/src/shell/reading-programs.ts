import { gitRule } from './git-rule.ts'
import type { ProgramRule, ProgramRules } from './program-rule.ts'

const plain: ProgramRule = {}
const text: ProgramRule = { textOperands: Infinity }
const noFollow: ProgramRule = {
  refusedOptions: ['-L', '-H', '-D', '--dereference', '--dereference-args', '--files0-from'],
}
const sums: ProgramRule = { refusedOptions: ['-c', '--check'] }
const grep: ProgramRule = {
  // A recursive search could read files with denied names, or follow links out of the workspace.
  refusedOptions: ['-r', '-R', '-d', '--recursive', '--dereference-recursive', '--directories'],
  textOperands: 1,
  textOptions: ['-e', '-f', '--regexp', '--file'],
}
const FIND_ACTIONS =
  '-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from -L -H -follow'.split(' ')

/**
 * Programs that only read, with rules against the options that let some of them do more. Interpreters, pagers, editors and
 * programs that start other programs are not included.
 */
export const readingPrograms: ProgramRules = {
  ...Object.fromEntries(
    (
      'cat head tail nl tac rev fold fmt expand unexpand cut paste join comm cmp basename dirname realpath readlink ' +
      'stat df pwd od hexdump test [ uptime nproc arch whoami id uname cksum'
    )
      .split(' ')
      .map(name => [name, plain]),
  ),
  ...Object.fromEntries('echo printf true false seq expr sleep which printenv tr'.split(' ').map(name => [name, text])),
  ...Object.fromEntries('md5sum sha1sum sha256sum sha512sum b2sum'.split(' ').map(name => [name, sums])),
  ls: noFollow,
  du: noFollow,
  wc: { refusedOptions: ['--files0-from'] },
  diff: { refusedOptions: ['-l', '-r', '--paginate', '--recursive'] },
  sort: { refusedOptions: ['-o', '-T', '--output', '--temporary-directory', '--compress-program', '--files0-from'] },
  uniq: { maxOperands: 1 },
  file: {
    refusedOptions: [
      '-C',
      '-f',
      '-z',
      '-Z',
      '-S',
      '-m',
      '--compile',
      '--files-from',
      '--uncompress',
      '--no-sandbox',
      '--magic-file',
    ],
  },
  date: { refusedOptions: ['-s', '-f', '--set', '--file'], refusedOperand: /^\d[\d.]+$/ },
  find: { refusedOptions: FIND_ACTIONS },
  grep,
  egrep: grep,
  fgrep: grep,
  sed: { options: ['-n'], firstOperand: /^(?:\d+|\$)(?:,(?:\d+|\$))?p$/, textOperands: 1 },
  jq: {
    refusedOptions: ['-f', '-L', '--from-file', '--library-path', '--run-tests'],
    refusedOperand: /import|include/,
    textOperands: 1,
  },
  git: gitRule,
}

/** Programs that only look up names in the network. */
export const lookupPrograms: ProgramRules = {
  dig: { refusedOptions: ['-f', '-k', '-b'], refusedOperand: /^@?[^@]*\//, textOperands: Infinity },
  host: { options: ['-t', '-4', '-6', '-a', '-v', '-s'], textOperands: Infinity },
  nslookup: { options: [], textOperands: Infinity },
}
