import { lstat, readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { byGrammar, type GrammarRule } from '../grammar/by-grammar.ts'
import type { ReadArguments } from '../grammar/read-arguments.ts'
import { pathOperands, prepareSearch, skipByTar } from './prepare-search.ts'
import { lineTools } from './reading-grammars.ts'
import type { CommandCheck, PrepareCommand } from '../shell-policy.ts'
import type { ProgramTable } from './reading-programs.ts'
import type { Workspace } from '../../workspace/workspace.ts'

const paths = 'path...'
const COMPRESS =
  '-d -k -f -v -c -t -l -q -1 -2 -3 -4 -5 -6 -7 -8 -9 --decompress --keep --force --verbose --stdout --best --fast'
const sort = lineTools['sort'] as GrammarRule
const uniq = lineTools['uniq'] as GrammarRule
const sed = lineTools['sed'] as GrammarRule

/**
 * Programs that change the files they are given, with the options and operands that are allowed. No allowed option
 * follows a link out of the workspace, runs a program, or shows a file that the command line does not name.
 */
const GRAMMARS: Readonly<Record<string, GrammarRule>> = {
  rm: {
    options: '-r -R -f -i -I -v -d --recursive --force --verbose --dir --one-file-system',
    operands: paths,
    protectsRoots: true,
  },
  rmdir: { options: '-p -v --parents --ignore-fail-on-non-empty', operands: paths, protectsRoots: true },
  unlink: { options: '', operands: 'path' },
  mv: {
    options: '-f -n -v -i -u -T -t=path --force --no-clobber --verbose --update --target-directory=path',
    operands: paths,
    protectsRoots: true,
  },
  cp: {
    options:
      '-r -R -a -f -n -p -v -u -i -d -P -T -t=path --recursive --archive --force --no-clobber --verbose --update --no-dereference --target-directory=path',
    operands: paths,
    prepare: keepsInside,
  },
  ln: { options: '-s -f -n -v -r -T --symbolic --force --no-dereference --verbose --relative', operands: paths },
  mkdir: { options: '-p -v -m=mode --parents --verbose --mode=mode', operands: paths },
  touch: {
    options: '-a -c -m -d=date -t=number -r=path --no-create --date=date --reference=path',
    operands: paths,
  },
  truncate: { options: '-s=number -c --size=number --no-create', operands: paths },
  tee: { options: '-a --append', operands: paths },
  chmod: {
    options: '-R -v -c -f --recursive --verbose --changes --silent --quiet',
    operands: 'mode path...',
    protectsRoots: true,
  },
  'gzip gunzip bzip2 bunzip2 xz unxz zstd': { options: COMPRESS, operands: paths },
  unzip: { options: '-q -o -n -l -t -v -d=path', operands: 'path text...', dashes: false },
  sort: { ...sort, options: `${sort.options} -o=path --output=path` },
  uniq: { ...uniq, operands: 'file path' },
  'sed gsed': { ...sed, options: `${sed.options} -i=?ending --in-place=?ending` },
  'awk gawk mawk nawk': {
    // Left out: -f, whose file would be judged by its name alone.
    options: '-F=text -v=assignment',
    operands: 'awk path...',
  },
}

const TAR: GrammarRule = {
  options:
    '-c -x -t -z -j -J -v -k -p -a -f=archive -C=path --create --extract --get --list --gzip --bzip2 --xz --zstd --verbose --file=archive --directory=path --exclude=text --strip-components=number --keep-old-files --auto-compress --no-same-owner',
  operands: paths,
  prepare: read => (creates(read) ? prepareSearch(pathOperands(read), skipByTar) : undefined),
}

/** Checks `tar`, whose first argument may hold options without a dash: `tar xzf x.tgz`. */
const tar: CommandCheck = ([program = '', first = '', ...rest]) => {
  const args = first.startsWith('-') || first === '' ? [first, ...rest] : dashed(first, rest)
  const verdict = byGrammar(TAR)([program, ...args.filter(argument => argument !== '')])
  if (!verdict.ok) return verdict
  const inDirectory = verdict.argv.some(argument => /^(?:-C|--directory)/.test(argument))
  const extracts = verdict.argv.some(argument => /^(?:-x|--extract|--get)$/.test(argument))
  // With -C, the names that follow belong to another directory than the one they were judged in.
  return inDirectory && !extracts ? { ok: false, reason: "tar may use '-C' here only to extract." } : verdict
}

/** Writes options without a dash as options with one. Their values follow in order. */
function dashed(letters: string, rest: readonly string[]): readonly string[] {
  const values = [...rest]
  const options = Array.from(letters).flatMap(letter =>
    letter === 'f' || letter === 'C' ? [`-${letter}`, values.shift() ?? ''] : [`-${letter}`],
  )
  return [...options, ...values]
}

function creates({ options }: ReadArguments): boolean {
  return options.some(({ name }) => name === '-c' || name === '--create')
}

export const changingPrograms: ProgramTable = {
  ...Object.fromEntries(
    Object.entries(GRAMMARS).flatMap(([names, grammar]) => names.split(' ').map(name => [name, byGrammar(grammar)])),
  ),
  tar,
}

/** Refuses to copy onto a link that leads out of the workspace. `cp` would write through it. */
function keepsInside(read: ReadArguments): PrepareCommand {
  const target = read.options.find(({ name }) => name === '-t' || name === '--target-directory')?.value
  const values = pathOperands(read)
  const sources = target === undefined ? values.slice(0, -1) : values
  const destination = target ?? values.at(-1) ?? '.'
  return async ({ workspace, cwd, argv }) => {
    const directory = resolve(cwd, destination)
    for (const source of sources) {
      const places = [
        join(directory, basename(source)),
        ...(/\/\.?$/.test(source) || source === '.' ? [directory] : []),
      ]
      for (const place of [...places, ...(read.options.some(({ name }) => name === '-T') ? [directory] : [])]) {
        if (await leadsOut(workspace, place)) return `'${destination}' holds a link that leads out of the workspace.`
      }
    }
    return { argv }
  }
}

async function leadsOut(workspace: Workspace, path: string): Promise<boolean> {
  const entry = await lstat(path).catch(() => undefined)
  if (entry === undefined) return false
  if (entry.isSymbolicLink()) {
    return workspace.resolve(path, { mustExist: false }).then(
      () => false,
      () => true,
    )
  }
  if (!entry.isDirectory()) return workspace.judge(path) !== undefined
  const names = await readdir(path).catch(() => [])
  for (const name of names) if (await leadsOut(workspace, join(path, name))) return true
  return false
}
