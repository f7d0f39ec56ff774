import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { anything, fileOf, openShell, sh } from './__fixtures__/open-shell.ts'

describe('the environment of a command', () => {
  const env = {
    PATH: process.env['PATH'],
    HOME: '/home/me',
    LC_ALL: 'C',
    LC_SECRET: 'hide-1',
    OPENAI_API_KEY: 'hide-2',
    AWS_SECRET_ACCESS_KEY: 'hide-3',
    GITHUB_TOKEN: 'hide-4',
    DATABASE_URL: 'hide-5',
    NODE_OPTIONS: '--hide-6',
    LD_PRELOAD: '',
    MINE: 'mine',
  }

  it('a command’s environment has only the passed and added variables', async () => {
    await using scene = await openShell({ env, passEnv: ['PATH', 'HOME', 'LC_*', 'MINE'], setEnv: { ADDED: 'yes' } })
    const { stdout } = await scene.facts(['cat', '/proc/self/environ'])
    const entries = (await scene.facts(['env'])).stdout
    expect(stdout).not.toMatch(/hide-/)
    expect(entries).not.toMatch(/hide-/)
    for (const line of ['HOME=/home/me', 'LC_ALL=C', 'MINE=mine', 'ADDED=yes'])
      expect(entries.split('\n')).toContain(line)
    const names = entries
      .split('\n')
      .filter(Boolean)
      .map(line => line.split('=')[0])
    const known = ['PATH', 'HOME', 'LC_ALL', 'MINE', 'ADDED', 'PWD', 'OLDPWD', 'SHLVL', '_', 'PARLEY_COMMAND']
    const policy = Object.keys(anything.environment)
    expect(names.filter(name => ![...known, ...policy].includes(name ?? ''))).toEqual([])
  })

  it('a command’s environment holds no secret by default, as /proc shows while the command runs', async () => {
    await using scene = await openShell({ env })
    const stop = new AbortController()
    const running = scene.run(sh('echo $$ > pid; exec sleep 20'), { signal: stop.signal })
    const environ = readFileSync(`/proc/${await fileOf(scene.temp, 'pid')}/environ`, 'latin1')
    expect(environ).toContain('HOME=/home/me')
    expect(environ).not.toMatch(/hide-|MINE|LD_PRELOAD|NODE_OPTIONS/)
    stop.abort(new Error('seen'))
    await expect(running).rejects.toThrow('seen')
  })
})
