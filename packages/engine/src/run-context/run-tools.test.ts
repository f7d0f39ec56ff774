import { expect, it } from 'vitest'
import type { OmittedTool, ToolSet } from '../agent/tools/tool-set.ts'
import type { EntryBody } from './run-journal.ts'
import { RunTools } from './run-tools.ts'
import { Stopper } from './stopper.ts'

const setOf = (...omitted: OmittedTool[]): ToolSet => ({ specs: [], byName: new Map(), client: undefined, omitted })
const omitted = { name: 'odd', error: { code: 'internal', detail: 'no schema' } as const }

/** The tools of a run whose toolbox answers with `answers`, one after the other. */
function setup(...answers: (ToolSet | Promise<ToolSet>)[]) {
  const recorded: EntryBody[] = []
  let changes = 0
  const stopper = new Stopper()
  const owner = {
    agent: { toolbox: { current: () => answers.shift() } },
    journal: { isBroken: false, record: (body: EntryBody) => void recorded.push(body) },
    stopper,
    prompt: { onToolsChanged: () => changes++ },
  }
  const tools = new RunTools(owner as unknown as ConstructorParameters<typeof RunTools>[0])
  return { tools, recorded, stopper, changes: () => changes }
}

it('an omitted tool is announced once for each set of tools', async () => {
  const first = setOf(omitted)
  const { tools, changes } = setup(first, first, Promise.resolve(setOf(omitted)))
  void tools.open()
  expect([tools.takeOmitted(), tools.takeOmitted()]).toEqual([[omitted], []])
  void tools.renew()
  expect([tools.takeOmitted(), changes()]).toEqual([[], 1])
  await tools.renew()
  expect([tools.takeOmitted(), changes()]).toEqual([[omitted], 2])
})

it('a source that cannot answer fails a run that begins, and a run that continues keeps its tools', async () => {
  const known = setOf()
  const { tools, recorded, changes } = setup(
    known,
    Promise.reject(new Error('gone')),
    Promise.reject(new Error('gone')),
  )
  void tools.open()
  await tools.renew()
  expect([tools.specs, recorded, changes()]).toEqual([known.specs, [], 1])
  await tools.open()
  expect(recorded).toMatchObject([{ type: 'run.failed', phase: 'tool-source' }])
})

it('a source that cannot answer because the run was stopped does not fail the run', async () => {
  const { tools, recorded, stopper } = setup(Promise.reject(new Error('stopped')))
  stopper.stop('cancelled')
  await tools.open()
  expect(recorded).toEqual([])
})
