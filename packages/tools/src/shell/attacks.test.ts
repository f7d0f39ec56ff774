import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
import { openAttackScene, type AttackScene } from './__fixtures__/open-attack-scene.ts'
import { createShellTool } from './create-shell-tool.ts'
import { findSandbox } from './sandbox/find-sandbox.ts'
import type { ShellPolicy } from './shell-policy.ts'
import { noNetworkPolicy, readOnlyPolicy } from './read-only-policy.ts'
import { coderPolicy } from './coder-policy.ts'

let scene: AttackScene
beforeAll(async () => {
  scene = await openAttackScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

type Ran = { readonly refused: boolean; readonly text: string; readonly output: string }

/** Runs `directory|command` with the real policy and, if the policy allows it, in the real tree. */
async function run(policy: ShellPolicy, attack: string, sandbox: 'auto' | 'off' = 'off'): Promise<Ran> {
  const [cwd, command] = attack.includes('|') && /^[\w./-]+\|/.test(attack) ? attack.split(/\|(.*)/s) : ['.', attack]
  const workspace = createWorkspace({ roots: [scene.workspace] })
  const env = { PATH: `${scene.workspace}/bin:.:${process.env['PATH']}`, HOME: scene.outer }
  const tool = createShellTool({ workspace, policy, confirm: 'never', sandbox, env, timeoutMs: 5_000, graceMs: 50 })
  try {
    const { text, outcome } = await callTool([tool], 'shell', { argv: scene.argvOf(command ?? ''), cwd })
    const facts = outcome.type === 'ok' ? outcome.structured : outcome.metadata
    if (facts === undefined) return { refused: true, text, output: '' }
    const { stdout, stderr } = facts as { stdout: string; stderr: string }
    return { refused: false, text, output: `${stdout}\n${stderr}` }
  } catch (error) {
    return { refused: true, text: String(error), output: '' }
  }
}

interface Trial {
  readonly policy: ShellPolicy
  readonly sandbox?: 'auto' | 'off'
  /** How many attacks run at the same time in one tree. @default 24 */
  readonly atOnce?: number
}

/** Runs attacks and returns those that read, wrote or started something that they must not. */
async function escapes(attacks: readonly string[], trial: Trial): Promise<readonly string[]> {
  const { policy, sandbox, atOnce = 24 } = trial
  const before = outside(policy)
  const found: string[] = []
  for (let at = 0; at < attacks.length; at += atOnce) {
    const batch = attacks.slice(at, at + atOnce)
    const results = await Promise.all(batch.map(attack => run(policy, attack, sandbox)))
    const leaks = results.flatMap(({ output }, index) => {
      const leak = scene.leakIn(output)
      return leak === undefined ? [] : [`${batch[index]}: ${leak}`]
    })
    const changed = outside(policy) !== before
    if (changed || leaks.length > 0 || (policy.files !== 'read' && results.some(({ refused }) => !refused)))
      scene.reset()
    if (changed && atOnce > 1) found.push(...(await escapes(batch, { ...trial, atOnce: 1 })))
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

describe.each([readOnlyPolicy, coderPolicy])('the policy $name', policy => {
  it.each(Object.entries(TABLES))(
    `no command of %s reads, writes or runs what the policy ${policy.name} protects`,
    async (name, attacks) => {
      const own = policy.files === 'read' || name !== 'OPTION_ATTACKS' ? attacks : attacks.filter(isForCoder)
      expect(await escapes(own, { policy })).toEqual([])
    },
    180_000,
  )
})

/** The coder policy lets programs of the workspace run, which can do anything. */
function isForCoder(attack: string): boolean {
  return !/evil\.|bin\/ls|^(?:make|npm|npx|pip|go|cargo|cmake)\b/.test(attack)
}

it('no command of CODER_ATTACKS reads, writes or runs what the policy coder protects', async () => {
  expect(await escapes(CODER_ATTACKS, { policy: coderPolicy, atOnce: 1 })).toEqual([])
}, 180_000)

it.each(HARMLESS)('the policy read-only allows %j', async command => {
  const { refused, text } = await run(readOnlyPolicy, command)
  // Some of the programs are not installed on every machine.
  expect(text.includes('There is no program') ? false : refused ? text : false).toBe(false)
})

it('the policy no-network allows the same harmless commands', () => {
  const refused = HARMLESS.filter(command => !noNetworkPolicy.check(scene.argvOf(command)).ok)
  expect(refused).toEqual([])
})

it('with the sandbox of this machine, harmless commands give the same output and attacks find nothing', async context => {
  if ((await findSandbox()) === undefined) return context.skip()
  // Left out: programs that show the machine, the kind and size of a hidden file, the temporary git directory, or nested repositories.
  const varies = /^(?:df|du|ls|uptime|hostname|date|printenv|id|find|which)\b|--git-dir|ls-files -o/
  for (const command of HARMLESS.filter((one, index) => index % 3 === 0 && !varies.test(one))) {
    const [bare, sandboxed] = [await run(readOnlyPolicy, command), await run(readOnlyPolicy, command, 'auto')]
    // Ripgrep searches with several threads, so its order varies.
    expect([command, ...linesOf(sandboxed.text)]).toEqual([command, ...linesOf(bare.text)])
  }
  expect(await escapes(GIT_ATTACKS, { policy: readOnlyPolicy, sandbox: 'auto' })).toEqual([])
  expect(await escapes(CODER_ATTACKS, { policy: coderPolicy, sandbox: 'auto', atOnce: 1 })).toEqual([])
}, 180_000)

function linesOf(text: string): readonly string[] {
  return text.split('\n').toSorted()
}
