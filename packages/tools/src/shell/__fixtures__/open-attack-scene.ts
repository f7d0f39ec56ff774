import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openTempDirectory } from '../../__fixtures__/open-temp-directory.ts'
import { keepTree } from './keep-tree.ts'

/** Part of every secret of the scene. No allowed command may print it, in any encoding that the scene knows. */
const SECRET = 'S3CRET-9f1c'
const ENCODED = [
  SECRET,
  SECRET.toUpperCase(),
  SECRET.toLowerCase(),
  Buffer.from(SECRET).toString('hex'),
  Buffer.from(SECRET).toString('base64').slice(0, 12),
  Array.from(SECRET).toReversed().join(''),
  Array.from(SECRET).join(' '),
]

export interface AttackScene extends AsyncDisposable {
  /** Directory around the workspace. It is a git repository too. */
  readonly outer: string
  readonly workspace: string
  /** Replaces OUT, IN and ¤ (a space) in a command and splits it at spaces. */
  argvOf(command: string): readonly string[]
  /** Returns every file that no command may change, with its content: all of them, or those outside the workspace. */
  snapshot(of: 'all' | 'outside'): string
  /** Puts everything back as it was. */
  reset(): void
  /** Says what a command leaked or started. `undefined` if nothing. */
  leakIn(output: string): string | undefined
}

/**
 * Creates a workspace that an agent could have prepared: links out of it, planted git directories, a hostile configuration,
 * attributes and hooks, lists of names, and programs that leave a trace. Around it lie files that no command may touch.
 */
export async function openAttackScene(): Promise<AttackScene> {
  const temp = await openTempDirectory()
  const outer = join(temp.path, 'outer')
  const workspace = join(outer, 'ws')
  const ran = join(temp.path, 'ran')
  build({ outer, workspace, ran })
  const tree = keepTree(outer, join(temp.path, 'original'))
  return {
    outer,
    workspace,
    argvOf: command =>
      command.split(' ').map(word => word.replaceAll('¤', ' ').replaceAll('OUT', outer).replaceAll('IN', workspace)),
    snapshot: of => tree.snapshot(of === 'outside' ? workspace : undefined),
    reset() {
      tree.reset()
      rmSync(ran, { force: true })
    },
    leakIn(output) {
      if (existsSync(ran)) return 'a program ran'
      const packed = output.replaceAll(/\s+/g, ' ')
      return ENCODED.find(text => output.includes(text) || packed.includes(text))
    },
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  }
}

interface Places {
  readonly outer: string
  readonly workspace: string
  /** The file that a planted program creates. */
  readonly ran: string
}

function build({ outer, workspace, ran }: Places): void {
  const put = (name: string, content: string): void => {
    mkdirSync(dirname(join(outer, name)), { recursive: true })
    writeFileSync(join(outer, name), content)
  }
  const git = (cwd: string, ...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, encoding: 'utf8' })
  put('outside.txt', `outside ${SECRET}\n`)
  put('canary.txt', 'canary\n')
  mkdirSync(workspace, { recursive: true })
  git(outer, 'init', '-q', '-b', 'main')
  put('.gitignore', 'ws\n')
  git(outer, 'add', '.')
  git(outer, 'commit', '-qm', 'parent')
  git(workspace, 'init', '-q', '-b', 'main')
  put('ws/.env', `KEY=${SECRET}-1\n`)
  put('ws/sub/.env', `KEY=${SECRET}-sub\n`)
  put('ws/.aws/credentials', `aws ${SECRET}\n`)
  put('ws/key.pem', `pem ${SECRET}\n`)
  put('ws/a.txt', 'one\ntwo\nthree\n')
  put('ws/src/b.ts', 'export const b = 1\n')
  put('ws/sub/a.txt', 'one\n')
  put('ws/data.json', '{"a":[1,2]}\n')
  git(workspace, 'add', '-f', '.')
  git(workspace, 'commit', '-qm', 'first')
  put('ws/.env', `KEY=${SECRET}-2\n`)
  put('ws/a.txt', 'one\ntwo\nthree\nfour\n')
  git(workspace, 'add', '-f', '.')
  git(workspace, 'commit', '-qm', 'second')
  put('ws/.env', `KEY=${SECRET}-3\n`)
  git(workspace, 'add', '-f', '.env')
  put('ws/.env', `KEY=${SECRET}-4\n`)
  put('ws/a.txt', 'one\ntwo\nthree\nfour\nfive\n')
  const blob = git(workspace, 'rev-parse', 'HEAD:.env').trim()
  git(workspace, 'tag', 'blob', blob)
  git(workspace, 'tag', '-am', 'note', 'noted', blob)
  writeFileSync(join(workspace, 'blob-id.txt'), blob)
  const plain = git(workspace, 'rev-parse', 'HEAD:src/b.ts').trim()
  put(`ws/.git/refs/replace/${plain}`, `${blob}\n`)
  put(`ws/.git/refs/heads/planted-blob`, `${blob}\n`)
  put('ws/.git/info/attributes', '* diff=evil filter=evil\n')
  put('ws/.gitattributes', '* diff=evil filter=evil merge=evil\n')
  put('ws/evil.sh', `#!/bin/sh\necho ran > ${ran}\ncat "$@"\n`)
  chmodSync(join(workspace, 'evil.sh'), 0o755)
  const evil = join(workspace, 'evil.sh')
  const config = hostileConfig(evil, outer)
  writeFileSync(join(workspace, '.git/config'), `${readFileSync(join(workspace, '.git/config'), 'utf8')}${config}`)
  for (const hook of ['pre-commit', 'post-checkout', 'post-index-change', 'reference-transaction', 'post-merge', 'pre-push']) {
    put(`ws/.git/hooks/${hook}`, `#!/bin/sh\necho ran > ${ran}\n`)
    chmodSync(join(workspace, '.git/hooks', hook), 0o755)
  }
  plantRepositories({ outer, workspace, ran }, config)
  put('ws/names.txt', '.env\n../outside.txt\n')
  put('ws/names0.txt', `.env\0${outer}/outside.txt\0`)
  put('ws/sums.txt', execFileSync('md5sum', ['.env'], { cwd: workspace, encoding: 'utf8' }))
  put('ws/script.awk', 'BEGIN { while ((getline line < ".env") > 0) print line }\n')
  put('ws/script.sed', 'r .env\n')
  put('ws/script.jq', 'include ".env"; .\n')
  put('ws/left/same.txt', 'left\n')
  put('ws/response.txt', '-include .env\n')
  put('ws/bin/ls', `#!/bin/sh\necho ran > ${ran}\n`)
  chmodSync(join(workspace, 'bin/ls'), 0o755)
  mkdirSync(join(workspace, 'right'))
  const links: readonly (readonly [string, string])[] = [
    ['link-out', '../outside.txt'], ['link-dir', '..'], ['link-env', '.env'], ['link-root', '/'], ['right/same.txt', '../../outside.txt'],
    ['linked/env', '../.env'], ['linked/out', '../../outside.txt'], ['linked/dir', '../..'], ['deep/copy/canary.txt', '../../../canary.txt'], ['tool', '/usr/bin/env'],
  ] // oxfmt-ignore
  for (const [name, target] of links) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true })
    symlinkSync(target, join(workspace, name))
  }
}

/** A configuration that names a program in every setting that git runs. */
function hostileConfig(evil: string, outer: string): string {
  return [
    '[core]', `fsmonitor = ${evil}`, `pager = ${evil}`, `editor = ${evil}`, `sshCommand = ${evil}`, `alternateRefsCommand = ${evil}`, `attributesFile = ${outer}/outside.txt`,
    '[diff]', `external = ${evil}`, '[diff "evil"]', `textconv = ${evil}`, `command = ${evil}`, '[filter "evil"]', `clean = ${evil}`, `smudge = ${evil}`, `process = ${evil}`,
    '[merge "evil"]', `driver = ${evil}`, '[gpg]', `program = ${evil}`, '[log]', 'showSignature = true', '[blame]', `ignoreRevsFile = ${outer}/outside.txt`, '[mailmap]', `file = ${outer}/outside.txt`,
    '[alias]', `x = !${evil}`, `st = !${evil}`, '[pager]', `log = ${evil}`, `diff = ${evil}`, `show = ${evil}`, `blame = ${evil}`, '[interactive]', `diffFilter = ${evil}`,
    '[include]', `path = ${outer}/outside.txt`, '[remote "origin"]', `url = https://user:${SECRET}@host.test/repo`, `uploadpack = ${evil}`, '[credential]', `helper = !${evil}`,
    '[uploadpack]', `packObjectsHook = ${evil}`, '[sequence]', `editor = ${evil}`, '[diff]', `orderFile = ${outer}/outside.txt`, '[grep]', 'fallbackToNoIndex = true', '[submodule]', 'recurse = true', '',
  ].join('\n') // oxfmt-ignore
}

/** Plants git directories that consist of text files only, as an agent could write them. */
function plantRepositories({ outer, workspace }: Places, config: string): void {
  const plant = (directory: string, extra: Readonly<Record<string, string>>): void => {
    const files = { HEAD: 'ref: refs/heads/main\n', config: `[core]\nrepositoryformatversion = 0\nbare = false\n${config}`, ...extra }
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(workspace, directory, name)), { recursive: true })
      writeFileSync(join(workspace, directory, name), content)
    }
    for (const name of ['objects/info', 'refs/heads']) mkdirSync(join(workspace, directory, name), { recursive: true })
  }
  const head = readFileSync(join(workspace, '.git/refs/heads/main'), 'utf8')
  const parent = readFileSync(join(outer, '.git/refs/heads/main'), 'utf8')
  plant('bare', { 'objects/info/alternates': `${workspace}/.git/objects\n`, 'refs/heads/main': head })
  plant('parent-bare', { 'objects/info/alternates': `${outer}/.git/objects\n`, 'refs/heads/main': parent })
  plant('nested/.git', { 'objects/info/alternates': `${outer}/.git/objects\n`, 'refs/heads/main': parent })
  plant('tree/.git', { config: `[core]\nworktree = ${outer}\nbare = false\n` })
  plant('common/.git', { commondir: '../../parent-bare\n' })
  const files: readonly (readonly [string, string])[] = [
    ['pointer', '../bare'], ['pointer-parent', '../parent-bare'], ['pointer-out', `${outer}/.git`], ['pointer-rel', '../../.git'],
  ] // oxfmt-ignore
  for (const [directory, target] of files) {
    mkdirSync(join(workspace, directory), { recursive: true })
    writeFileSync(join(workspace, directory, '.git'), `gitdir: ${target}\n`)
    writeFileSync(join(workspace, directory, 'a.txt'), 'one\n')
  }
  writeFileSync(join(workspace, 'bare/a.txt'), 'one\n')
}
