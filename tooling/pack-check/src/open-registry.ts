import { freePort } from '@parley-tooling/test-run/free-port'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installPackages } from './install-packages.ts'
import { runCommand } from './run-command.ts'

/** A registry on this machine. It keeps what is published, and asks the usual registry for all other packages. */
export interface LocalRegistry extends AsyncDisposable {
  readonly url: string
  /** An `.npmrc` that names the registry and a user who may publish. */
  readonly npmrc: string
  /** Publishes a tarball. Returns what npm says if it fails. */
  publish(tarball: string): Promise<string | undefined>
}

const VERSION = '6.10.4'

/** Starts verdaccio. It is installed in a temporary folder, because nothing else needs it. */
export async function openRegistry(): Promise<LocalRegistry> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-registry-'))
  try {
    // verdaccio asks for the tag `cjs` of node-fetch, which not every mirror has.
    await installPackages({ folder, dependencies: { verdaccio: VERSION }, overrides: { 'node-fetch': '^2.7.0' } })
    const upstream = (await runCommand('npm', ['config', 'get', 'registry'])).stdout.trim()
    const url = `http://127.0.0.1:${await freePort()}/`
    await writeFile(join(folder, 'config.yaml'), configOf(folder, upstream))
    await mkdir(join(folder, 'user'))
    const bin = join(folder, 'node_modules/verdaccio/bin/verdaccio')
    const args = [bin, '--config', join(folder, 'config.yaml'), '--listen', url.slice(0, -1)]
    const server = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' })
    const ended = once(server, 'exit')
    const npmrc = join(folder, 'user/.npmrc')
    await writeFile(npmrc, npmrcOf(url, await signUp(url, () => server.exitCode !== null)))
    return {
      url,
      npmrc,
      async publish(tarball) {
        // Only a public build can sign where a package comes from.
        const published = await runCommand('npm', ['publish', tarball, '--provenance=false', '--userconfig', npmrc], {
          cwd: join(folder, 'user'),
        })
        return published.ok ? undefined : published.output
      },
      async [Symbol.asyncDispose]() {
        server.kill()
        await ended
        await rm(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

function configOf(folder: string, upstream: string): string {
  const rights = 'access: $all\n    publish: $authenticated\n'
  return `storage: ${join(folder, 'storage')}
auth:
  htpasswd:
    file: ${join(folder, 'htpasswd')}
uplinks:
  upstream:
    url: ${upstream}
packages:
  '@parley/*':
    ${rights}
  'create-parley':
    ${rights}
  '**':
    access: $all
    proxy: upstream
max_body_size: 100mb
log: { type: stdout, level: error }
`
}

function npmrcOf(url: string, token: string): string {
  return `registry=${url}\n${url.slice('http:'.length)}:_authToken=${token}\naudit=false\nfund=false\n`
}

/** Creates a user as soon as the registry answers, and returns its token. */
async function signUp(url: string, hasExited: () => boolean): Promise<string> {
  const name = 'releaser'
  const body = JSON.stringify({ name, password: 'rehearsal-1', type: 'user', roles: [] })
  const headers = { 'content-type': 'application/json' }
  for (let attempt = 0; attempt < 600 && !hasExited(); attempt += 1) {
    const path = `${url}-/user/org.couchdb.user:${name}`
    const response = await fetch(path, { method: 'PUT', headers, body }).catch(() => undefined)
    if (response?.ok === true) return ((await response.json()) as { readonly token: string }).token
    if (response !== undefined)
      throw new Error(`verdaccio creates no user: ${response.status} ${await response.text()}`)
    await sleep(100)
  }
  throw new Error('verdaccio does not answer')
}
