// Deep: it runs more than 1,500 attacks in real shells and sandboxes; `shell-policies.test.ts` tests what the policies refuse.
import { readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ParleyError } from '@parley/core'
import { notTried } from '@parley-tooling/test-run/not-tried'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callTool } from '../__fixtures__/call-tool.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import {
  CODER_ATTACKS,
  GIT_ATTACKS,
  GIT_PLACES,
  HARMLESS,
  OPTION_ATTACKS,
  READ_ATTACKS,
} from './__fixtures__/attacks.ts'
import { createCommandBatch } from './__fixtures__/create-command-batch.ts'
import { notTriedInSandbox } from './__fixtures__/not-tried-in-sandbox.ts'
import { openAttackScene, type AttackScene } from './__fixtures__/open-attack-scene.ts'
import { createShellToolWith } from './create-shell-tool.ts'
import { findSandbox } from './sandbox/find-sandbox.ts'
import type { ShellPolicy } from './shell-policy.ts'
import { noNetworkPolicy, readOnlyPolicy } from './read-only-policy.ts'
import { coderPolicy } from './coder-policy.ts'

let scene: AttackScene
beforeAll(async () => {
  scene = await openAttackScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

interface Ran {
  readonly refused: boolean
  readonly text: string
  readonly output: string
}

interface Trial {
  readonly policy: ShellPolicy
  /** @default 'off' */
  readonly sandbox?: 'auto' | 'off'
  /** How many attacks run together in one tree. @default all, or 24 if the policy lets commands change files */
  readonly atOnce?: number | undefined
}

/** Runs each `directory|command` with the real policy and, if the policy allows it, in the real tree. */
type RunAll = (commands: readonly string[]) => Promise<readonly Ran[]>

/** Creates one shell tool, which runs the commands of a trial. */
function openTrial({ policy, sandbox = 'off' }: Trial): RunAll {
  const workspace = createWorkspace({ roots: [scene.workspace] })
  const env = { PATH: `${scene.workspace}/bin:.:${process.env['PATH']}`, HOME: scene.outer }
  const batch = createCommandBatch()
  const tool = createShellToolWith({ workspace, policy, confirm: 'never', sandbox, env, graceMs: 50 }, batch.run)
  const run = async (given: string): Promise<Ran> => {
    const [, cwd = '.', command = given] = /^([\w./-]+)\|(.*)/s.exec(given) ?? []
    try {
      const { text, outcome } = await callTool([tool], 'shell', { argv: scene.argvOf(command), cwd })
      const facts = outcome.type === 'ok' ? outcome.structured : outcome.metadata
      if (facts === undefined) return { refused: true, text, output: '' }
      const { stdout, stderr } = facts as { stdout: string; stderr: string }
      return { refused: false, text, output: `${stdout}\n${stderr}` }
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error
      return { refused: true, text: error.message, output: '' }
    }
  }
  return commands => batch.runAll(commands.map(command => () => run(command)))
}

/** Runs attacks and returns those that read, wrote or started something that they must not. */
async function escapes(
  attacks: readonly string[],
  trial: Trial,
  runAll = openTrial(trial),
): Promise<readonly string[]> {
  const { policy, atOnce = policy.files === 'read' ? attacks.length : 24 } = trial
  const before = outside(policy)
  const found: string[] = []
  for (let at = 0; at < attacks.length; at += atOnce) {
    const batch = attacks.slice(at, at + atOnce)
    const results = await runAll(batch)
    if (results.every(({ refused }) => refused)) continue
    const leaks = results.flatMap(({ output }, index) => {
      const leak = scene.leakIn(output)
      return leak === undefined ? [] : [`${batch[index]}: ${leak}`]
    })
    const changed = outside(policy) !== before
    if (changed || leaks.length > 0 || policy.files !== 'read') scene.reset()
    const isOne = batch.length === 1
    if ((changed || leaks.length > 0) && !isOne) found.push(...(await escapes(batch, { ...trial, atOnce: 1 }, runAll)))
    else found.push(...leaks, ...(changed ? [`${batch[0]}: it changed files`] : []))
  }
  return found
}

/** What a policy must keep as it is: everything, or everything outside the workspace. */
function outside(policy: ShellPolicy): string {
  return scene.snapshot(policy.files === 'read' ? 'all' : 'outside')
}

const TABLES = { READ_ATTACKS, GIT_ATTACKS, GIT_PLACES, OPTION_ATTACKS }

it('the tables hold more than 1,500 different attacks', () => {
  expect(new Set(Object.values(TABLES).flat()).size).toBeGreaterThan(1_500)
  expect(new Set(CODER_ATTACKS).size).toBeGreaterThan(150)
  expect(new Set(HARMLESS).size).toBeGreaterThan(180)
})

it('the scene puts back a link to a directory that an attack has replaced', () => {
  const link = join(scene.workspace, 'link-dir')
  rmSync(link)
  writeFileSync(link, 'changed')
  scene.reset()
  expect(readlinkSync(link)).toBe('..')
})

describe.each([readOnlyPolicy, coderPolicy])('the policy $name', policy => {
  it.each(Object.entries(TABLES))(
    `no command of %s reads, writes or runs what the policy ${policy.name} protects`,
    async (name, attacks) => {
      const own = policy.files === 'read' || name !== 'OPTION_ATTACKS' ? attacks : attacks.filter(isForCoder)
      // The commands of this table change nothing, so that they can run together.
      const atOnce = name === 'GIT_PLACES' ? own.length : undefined
      expect(await escapes(own, { policy, atOnce })).toEqual([])
    },
    600_000,
  )
})

/** The coder policy lets programs of the workspace run, which can do anything. */
function isForCoder(attack: string): boolean {
  return !/evil\.|bin\/ls|^(?:make|npm|npx|pip|go|cargo|cmake)\b/.test(attack)
}

it('no command of CODER_ATTACKS reads, writes or runs what the policy coder protects', async () => {
  expect(await escapes(CODER_ATTACKS, { policy: coderPolicy, atOnce: 1 })).toEqual([])
}, 600_000)

/** Runs the harmless commands once, without a sandbox. */
let harmless: ReturnType<RunAll> | undefined
const runHarmless = () => (harmless ??= openTrial({ policy: readOnlyPolicy })(HARMLESS))

const isMissing = ({ refused, text }: Ran): boolean => refused && text.includes('There is no program')

it('the policy read-only allows every command of HARMLESS', async () => {
  const results = await runHarmless()
  const refused = results.flatMap((ran, index) =>
    ran.refused && !isMissing(ran) ? [`${HARMLESS[index]}: ${ran.text}`] : [],
  )
  expect(refused).toEqual([])
}, 600_000)

it('every program of HARMLESS is installed, so that its commands have run', async context => {
  const missing = (await runHarmless()).flatMap((ran, index) =>
    isMissing(ran) ? [HARMLESS[index]?.split(' ')[0]] : [],
  )
  if (missing.length > 0) notTried(context, `commands of ${[...new Set(missing)].join(', ')}`, 'they are not installed')
}, 600_000)

it('the policy no-network allows the same harmless commands', () => {
  const refused = HARMLESS.filter(command => !noNetworkPolicy.check(scene.argvOf(command)).ok)
  expect(refused).toEqual([])
})

describe('with the sandbox of this machine', () => {
  beforeEach(async context => {
    if ((await findSandbox()) === undefined) notTriedInSandbox(context)
  })

  it('harmless commands give the same output as without the sandbox', async () => {
    // Left out: programs that show the machine, the kind and size of a hidden file, the temporary git directory, or nested repositories.
    const varies = /^(?:df|du|ls|uptime|hostname|date|printenv|id|find|which)\b|--git-dir|ls-files -o/
    const commands = HARMLESS.filter((one, index) => index % 3 === 0 && !varies.test(one))
    const [bare, sandboxed] = [
      await runHarmless(),
      await openTrial({ policy: readOnlyPolicy, sandbox: 'auto' })(commands),
    ]
    for (const [index, command] of commands.entries()) {
      // Ripgrep searches with several threads, so its order varies.
      const expected = linesOf(bare[HARMLESS.indexOf(command)])
      expect([command, ...linesOf(sandboxed[index])]).toEqual([command, ...expected])
    }
  }, 600_000)

  it('no command of GIT_ATTACKS reads, writes or runs what the policy read-only protects', async () => {
    expect(await escapes(GIT_ATTACKS, { policy: readOnlyPolicy, sandbox: 'auto' })).toEqual([])
  }, 600_000)

  it('no command of CODER_ATTACKS reads, writes or runs what the policy coder protects', async () => {
    expect(await escapes(CODER_ATTACKS, { policy: coderPolicy, sandbox: 'auto', atOnce: 1 })).toEqual([])
  }, 600_000)
})

function linesOf(ran: Ran | undefined): readonly string[] {
  return ran?.text.split('\n').toSorted() ?? []
}
