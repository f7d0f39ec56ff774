import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openCli } from '../__fixtures__/open-cli.ts'

it('parley init adds an agent to a project, and overwrites nothing', async () => {
  await using cli = await openCli({ isUnbundled: true })
  const missing = await cli.run('init')
  expect(missing.code).toBe(2)
  expect(missing.error).toContain('package.json: is missing; run this in a project')

  await writeFile(join(cli.dir, 'package.json'), '{ "name": "shop" }')
  const added = await cli.run('init', '--provider', 'openai', '--into', 'agents')
  expect(added.error).toBe('')
  expect(added.out).toContain('Wrote agents/agent.ts, agents/main.ts, agents/model.ts, agents/store.ts, .env.example')
  expect(await readFile(join(cli.dir, 'agents/model.ts'), 'utf8')).toContain('createOpenAI')
  expect(JSON.parse(await readFile(join(cli.dir, 'package.json'), 'utf8'))).toMatchObject({
    name: 'shop',
    dependencies: { '@parley/engine': expect.stringMatching(/^\^0\./) },
  })

  const again = await cli.run('init', '--into', 'agents')
  expect(again.error).toContain('agents/agent.ts: exists already; choose another folder with --into')
})
