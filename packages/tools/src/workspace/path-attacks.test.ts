import { link, readFile, rename, rm, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ParleyError } from '@parley/core'
import { expect, it } from 'vitest'
import { openTempDirectory } from '../__fixtures__/open-temp-directory.ts'
import { openHostileWorkspace, type HostileWorkspace } from './__fixtures__/open-hostile-workspace.ts'
import { createWorkspace } from './create-workspace.ts'
import type { Workspace } from './workspace.ts'

/** Spellings of two dots and of a slash: encoded, of full width, similar, with invisible characters, doubled. */
const DOTS = [
  '..',
  '%2e%2e',
  '%252e%252e',
  '.%2e',
  '..%00',
  '..;',
  '．．',
  '․․',
  '‥',
  '.\u200b.',
  '..\u0301',
  '\u2024.',
  '..\u00ad',
  '\\x2e\\x2e',
]
const SLASHES = ['/', '//', '/./', '%2f', '%252f', '%c0%af', '∕', '⁄', '／', '\\', '\\/', '/\u200b/']
const TARGETS = ['OUT/secret.txt', 'BASE-outside', 'etc/passwd', 'link-file']
/** Ways to reach something outside through a link, the system or a root. */
const LEADS = [
  'link-dir',
  'link-root',
  'link-parent',
  'chain-1',
  'src/up-link',
  'proc-link',
  'fd-link',
  'dev-link',
  'good-dir/up-link',
  'self',
  'loop-a',
]
const TAILS = [
  '',
  '/',
  '/.',
  '/..',
  '/secret.txt',
  '/deep/../secret.txt',
  '/./secret.txt',
  '/secret.txt/.',
  '//secret.txt',
  '/new.txt',
  '/a/b/c',
  '/secret.txt::$DATA',
  '/SECRET.TXT',
  '/secret.txt.',
  '/secret.txt ',
]
const SYSTEM = [
  '/proc/self',
  '/proc/thread-self',
  '/proc/1',
  '/dev',
  '/dev/fd',
  '/sys',
  '/run',
  '/.snapshot',
  '/mnt',
  '//server/share',
  '/net/host',
  '/afs',
  '/boot',
]
const SYSTEM_TAILS = ['', '/root/etc/passwd', '/cwd', '/environ', '/mem', '/fd/0', '/exe', '/zero', '/stdin', '/mounts']
/** Names of a protected file: letter cases, trailing characters, and characters that file systems ignore or fold. */
const SECRETS = ['.env', '.git/config', '.ssh/id_rsa', 'server.pem', 'keys/id_ed25519', '.aws/credentials', '.npmrc']
const DISGUISES: readonly ((name: string) => string)[] = [
  name => name,
  name => name.toUpperCase(),
  name => name.replace(/[a-z]/, letter => letter.toUpperCase()),
  name => `./${name}`,
  name => `src/../${name}`,
  name => `src//..//${name}`,
  name => `${name}/`,
  name => `${name}/.`,
  name => `${name}.`,
  name => `${name} `,
  name => `${name}::$DATA`,
  name => name.replace(/[a-z]/, '$&\u200b'),
  name => name.replace(/[a-z]/, '$&\u00ad'),
  name => name.replace('.', '．'),
  name => name.normalize('NFD'),
  name => `good-dir/../${name}`,
  name => `${name}/x.tar!/${name}`,
]
const ODD = [
  'x'.repeat(256),
  'x/'.repeat(2_100),
  `${'a'.repeat(250)}/../`.repeat(15),
  '\0',
  'a\0/../..',
  '\uDC00',
  '-rf',
  '$HOME',
  '`id`',
  '*',
  '../*',
  'a.zip!/../../etc/passwd',
  'a.tar/../../x',
  'CON',
  'nul.txt',
  'file.txt:stream',
  '\n../',
  '\r',
  '\u202e..',
  '\ufeff..',
]

/** Every attempt. OUT stands for the outside directory, and BASE for the last segment of the root. */
function attempts(): readonly string[] {
  const climbs = DOTS.flatMap(dots =>
    SLASHES.flatMap(slash =>
      TARGETS.flatMap(target => [`${dots}${slash}${target}`, `src${slash}${dots}${slash}${dots}${slash}${target}`]),
    ),
  )
  const led = LEADS.flatMap(lead => TAILS.map(tail => `${lead}${tail}`))
  const system = SYSTEM.flatMap(place => SYSTEM_TAILS.map(tail => `${place}${tail}`))
  const secrets = SECRETS.flatMap(name => DISGUISES.map(disguise => disguise(name)))
  return [...new Set([...climbs, ...led, ...system, ...secrets, ...ODD])]
}

/** What the workspace lets through that it must not: a real path outside, a protected file, or a secret text. */
async function escapesOf(
  path: string,
  { inside, workspace }: Pick<HostileWorkspace, 'inside' | 'workspace'>,
): Promise<readonly string[]> {
  const found: string[] = []
  const isOutside = (real: string): boolean =>
    !`${real}/`.startsWith(`${inside.path}/`) || /\.env$|\.git\/config$/.test(real)
  for (const mustExist of [true, false]) {
    const resolved = await refusedOr(workspace.resolve(path, { mustExist }))
    if (resolved !== undefined && isOutside(resolved.path)) found.push(`resolve: ${path} is ${resolved.path}`)
  }
  await using file = await refusedOr(workspace.open(path))
  if (file !== undefined && isOutside(file.path)) found.push(`open: ${path} is ${file.path}`)
  if (file !== undefined && (await file.handle.readFile('utf8')).includes('SECRET'))
    found.push(`open: ${path} shows a secret`)
  return found
}

async function refusedOr<TValue>(promise: Promise<TValue>): Promise<TValue | undefined> {
  try {
    return await promise
  } catch (error) {
    if (ParleyError.is(error, 'path-refused')) return undefined
    throw error
  }
}

it('a workspace lets none of more than 1,000 generated attempts escape, neither for reading nor for writing', async () => {
  await using scene = await openHostileWorkspace()
  const { outside, inside, workspace } = scene
  const paths = attempts().map(path =>
    path.replace('OUT', basename(outside.path)).replace('BASE', basename(inside.path)),
  )
  expect(paths.length).toBeGreaterThan(1_000)
  const escapes: string[] = []
  for (const path of paths) escapes.push(...(await escapesOf(path, scene)))
  expect(escapes).toEqual([])
  for (const path of paths) await refusedOr(workspace.write(path, 'WRITTEN'))
  expect(await readFile(join(outside.path, 'secret.txt'), 'utf8')).toBe('SECRET')
  expect(await readFile(join(outside.path, 'deep/secret.txt'), 'utf8')).toBe('SECRET')
  expect(await readFile(join(inside.path, '.env'), 'utf8')).toBe('KEY=1')
  expect(await readFile(join(inside.path, '.git/config'), 'utf8')).toBe('token')
  await expect(readFile(join(outside.path, 'new.txt'))).rejects.toThrow('ENOENT')
}, 60_000)

it('a run with its own directory reaches nothing beside it', async () => {
  await using scene = await openHostileWorkspace()
  const { inside } = scene
  await inside.write('src/deep/own.txt', 'fine')
  await inside.link('src/deep/to-file', join(inside.path, 'file.txt'))
  const own: Workspace = await scene.workspace.forRun({ workspace: join(inside.path, 'src/deep') })
  const room = { inside: { ...inside, path: join(inside.path, 'src/deep') }, workspace: own }
  expect((await own.resolve('own.txt')).exists).toBe(true)
  const beside = [
    '../a.ts',
    '../../file.txt',
    'to-file',
    'er/../../a.ts',
    join(inside.path, 'file.txt'),
    join(inside.path, 'src/a.ts'),
    '../deep/../a.ts',
  ]
  const escapes: string[] = []
  for (const path of [...beside, ...attempts()]) escapes.push(...(await escapesOf(path, room)))
  expect(escapes).toEqual([])
})

it('a link that is exchanged while the workspace works never leads outside', async () => {
  await using scene = await openHostileWorkspace()
  const { inside, outside, workspace } = scene
  await inside.write('swapped/secret.txt', 'fine')
  const over = new AbortController()
  const swapping = (async () => {
    while (!over.signal.aborted) {
      await rename(join(inside.path, 'swapped'), join(inside.path, 'aside'))
      await symlink(outside.path, join(inside.path, 'swapped'))
      await rm(join(inside.path, 'swapped'))
      await rename(join(inside.path, 'aside'), join(inside.path, 'swapped'))
    }
  })()
  const escapes: string[] = []
  for (let tries = 0; tries < 300; tries++) {
    escapes.push(...(await escapesOf('swapped/secret.txt', scene)))
    await refusedOr(workspace.write('swapped/secret.txt', 'fine'))
  }
  over.abort()
  await swapping
  expect(escapes).toEqual([])
  expect(await readFile(join(outside.path, 'secret.txt'), 'utf8')).toBe('SECRET')
})

it('a write to a hard link of a file outside leaves that file as it is', async () => {
  await using inside = await openTempDirectory()
  await using outside = await openTempDirectory()
  const secret = await outside.write('secret.txt', 'SECRET')
  await link(secret, join(inside.path, 'hard.txt'))
  await createWorkspace({ roots: [inside.path] }).write('hard.txt', 'WRITTEN')
  expect(await readFile(secret, 'utf8')).toBe('SECRET')
})
