import { defineTool, type Json } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import { defineWorkflow, type Step, type Workflow, type WorkflowResult } from './index.ts'

const model = scriptedModel([])
const agents = [
  defineAgent({ name: 'outline', model, output: z.object({ title: z.string(), chapters: z.array(z.string()) }) }),
  defineAgent({ name: 'writer', model }),
] as const
const tools = [
  defineTool({
    name: 'count',
    description: 'd',
    input: z.object({ text: z.string(), factor: z.number().default(1) }),
    execute: ({ text }) => ({ words: text.length }),
  }),
  defineTool({
    name: 'publish',
    description: 'd',
    input: z.object({ title: z.string(), parts: z.array(z.string()), at: z.coerce.date().optional() }),
    execute: () => 'published',
  }),
  defineTool({ name: 'sum', description: 'd', input: z.object({ counts: z.array(z.number()) }), execute: () => 1 }),
] as const
const parts = { agents, tools }

const plan = { type: 'agent', name: 'plan', agent: 'outline', prompt: 'Plan.' } as const

it('the output of a workflow run has the type of its last step', async () => {
  const workflow = defineWorkflow(
    { name: 'w', steps: [plan, { type: 'tool', tool: 'count', input: { text: '{{result.title}}' } }] },
    parts,
  )
  const result = await createRuntime().run(workflow, 'go').result
  if (result.status === 'completed') expectTypeOf(result.output).toEqualTypeOf<WorkflowResult<{ words: number }>>()
  expectTypeOf(workflow.name).toEqualTypeOf<'w'>()
})

it('an output template has the types of its references', () => {
  const workflow = defineWorkflow(
    {
      name: 'w',
      steps: [plan],
      output: { title: '{{steps.plan.output.title}}', first: '{{result.chapters.0}}', n: 1 },
    },
    parts,
  )
  expectTypeOf<OutputOf<typeof workflow>>().toEqualTypeOf<{ title: string; first: string | null; n: 1 }>()
})

it('a step accepts the output of the step before it, if the types fit', () => {
  const bad = '{{result.chapters}}'
  defineWorkflow(
    { name: 'w', steps: [plan, { type: 'tool', tool: 'count', input: { text: '{{result.title}}' } }] },
    parts,
  )
  defineWorkflow(
    // @ts-expect-error -- the chapters are a list, and the tool takes a text
    { name: 'w', steps: [plan, { type: 'tool', tool: 'count', input: { text: bad } }] },
    parts,
  )
  // Any value becomes part of a longer text.
  defineWorkflow(
    { name: 'w', steps: [plan, { type: 'tool', tool: 'count', input: { text: 'On {{result.chapters}}' } }] },
    parts,
  )
})

it('a reference must name a step before it and a field of its output', () => {
  defineWorkflow(
    // @ts-expect-error -- no step has this name
    { name: 'w', steps: [plan, { type: 'agent', agent: 'writer', prompt: '{{steps.plann.output}}' }] },
    parts,
  )
  defineWorkflow(
    // @ts-expect-error -- the outline has no subtitle
    { name: 'w', steps: [plan, { type: 'agent', agent: 'writer', prompt: 'On {{ result.subtitle }}.' }] },
    parts,
  )
  // @ts-expect-error -- no step comes before the first one
  defineWorkflow({ name: 'w', steps: [{ type: 'agent', agent: 'writer', prompt: '{{result}}' }] }, parts)
  // @ts-expect-error -- the tool has no such input
  defineWorkflow({ name: 'w', steps: [{ type: 'tool', tool: 'count', input: { text: 'x', factr: 2 } }] }, parts)
  // A placeholder after a backslash is text.
  defineWorkflow({ name: 'w', steps: [{ type: 'agent', agent: 'writer', prompt: String.raw`\{{result}}` }] }, parts)
})

it('the items of a map have the type of the list, and its output is a list', () => {
  const each = { type: 'tool', tool: 'count', input: { text: '{{chapter}}', factor: '{{index}}' } } as const
  const workflow = defineWorkflow(
    { name: 'w', steps: [plan, { type: 'map', over: 'result.chapters', as: 'chapter', steps: [each] }] },
    parts,
  )
  expectTypeOf<OutputOf<typeof workflow>>().toEqualTypeOf<{ words: number }[]>()
  defineWorkflow(
    // @ts-expect-error -- a title is not a list
    { name: 'w', steps: [plan, { type: 'map', over: 'result.title', as: 'chapter', steps: [each] }] },
    parts,
  )
  const index = { type: 'tool', tool: 'count', input: { text: '{{index}}' } } as const
  // @ts-expect-error -- the position of an item is a number
  defineWorkflow({ name: 'w', steps: [plan, { type: 'map', over: 'result.chapters', steps: [index] }] }, parts)
})

it('the output of parallel steps is a tuple', () => {
  const count = { type: 'tool', tool: 'count', input: { text: 'x' } } as const
  const workflow = defineWorkflow({ name: 'w', steps: [{ type: 'parallel', steps: [plan, count] }] }, parts)
  expectTypeOf<OutputOf<typeof workflow>>().toEqualTypeOf<[{ title: string; chapters: string[] }, { words: number }]>()
  const both = { type: 'parallel', steps: [plan, count] } as const
  defineWorkflow(
    { name: 'w', steps: [both, { type: 'tool', tool: 'sum', input: { counts: ['{{result.1.words}}'] } }] },
    parts,
  )
  defineWorkflow(
    // @ts-expect-error -- the first branch has no words
    { name: 'w', steps: [both, { type: 'tool', tool: 'sum', input: { counts: ['{{result.0.words}}'] } }] },
    parts,
  )
})

it('the output of a branch is that of either way', () => {
  const condition = { variable: 'result.title' } as const
  const count = { type: 'tool', tool: 'count', input: { text: '{{result.title}}' } } as const
  const one = defineWorkflow({ name: 'w', steps: [plan, { type: 'if', condition, steps: [count] }] }, parts)
  expectTypeOf<OutputOf<typeof one>>().toEqualTypeOf<{ words: number } | null>()
  const two = defineWorkflow(
    { name: 'w', steps: [plan, { type: 'if', condition, steps: [count], else: [plan] }] },
    parts,
  )
  expectTypeOf<OutputOf<typeof two>>().toEqualTypeOf<{ words: number } | { title: string; chapters: string[] }>()
  const wrong = { equals: [{ variable: 'result.titel' }, 'x'] } as const
  // @ts-expect-error -- the outline has no such field
  defineWorkflow({ name: 'w', steps: [plan, { type: 'if', condition: wrong, steps: [count] }] }, parts)
})

it('the first step of a loop reads the output of the round before, or of the step before', () => {
  const again = { type: 'tool', tool: 'count', input: { text: '{{result.title}}' } } as const
  const until = { greaterThan: [{ variable: 'result.words' }, 3] } as const
  const workflow = defineWorkflow(
    { name: 'w', steps: [plan, { type: 'repeat', steps: [plan], until: { variable: 'result.title' }, maxTimes: 3 }] },
    parts,
  )
  expectTypeOf<OutputOf<typeof workflow>>().toEqualTypeOf<{ title: string; chapters: string[] }>()
  // @ts-expect-error -- from the second round on the result has words and no title
  defineWorkflow({ name: 'w', steps: [plan, { type: 'repeat', steps: [again], until, maxTimes: 3 }] }, parts)
  const wrong = { variable: 'result.words' } as const
  // @ts-expect-error -- the output of a round is an outline
  defineWorkflow({ name: 'w', steps: [plan, { type: 'repeat', steps: [plan], until: wrong, maxTimes: 3 }] }, parts)
})

it('a step that may fail has null among its outputs', () => {
  const count = { type: 'tool', tool: 'count', input: { text: 'x' } } as const
  const one = defineWorkflow({ name: 'w', steps: [{ ...count, onFailure: 'continue' }] }, parts)
  expectTypeOf<OutputOf<typeof one>>().toEqualTypeOf<{ words: number } | null>()
  const two = defineWorkflow({ name: 'w', steps: [count], onFailure: 'continue' }, parts)
  expectTypeOf<OutputOf<typeof two>>().toEqualTypeOf<{ words: number } | null>()
  const three = defineWorkflow({ name: 'w', steps: [{ ...count, onFailure: { run: [plan] } }] }, parts)
  expectTypeOf<OutputOf<typeof three>>().toEqualTypeOf<{ words: number } | { title: string; chapters: string[] }>()
})

it('a workflow that a step names has its own output type', () => {
  const inner = { name: 'inner', inputs: { text: {} }, steps: [plan] } as const
  const workflow = defineWorkflow(
    { name: 'w', steps: [{ type: 'workflow', workflow: 'inner', inputs: { text: 'x' } }] },
    { ...parts, workflows: [inner] },
  )
  expectTypeOf<OutputOf<typeof workflow>>().toEqualTypeOf<{ title: string; chapters: string[] }>()
})

it('the values of inputs, approvals and texts of agents fit everywhere', () => {
  const workflow = defineWorkflow(
    {
      name: 'w',
      inputs: { topics: {} },
      steps: [
        { type: 'map', over: 'topics', steps: [{ type: 'agent', agent: 'writer', prompt: '{{item}}' }] },
        { type: 'tool', tool: 'publish', input: { title: '{{topics.0}}', parts: '{{result}}', at: '2026-01-01' } },
        { type: 'approval', prompt: 'Fine?', onRejected: [{ type: 'agent', agent: 'writer', prompt: '{{reason}}' }] },
        { type: 'tool', tool: 'count', input: { text: '{{result}}' } },
      ],
    },
    parts,
  )
  expectTypeOf<OutputOf<typeof workflow>>().toEqualTypeOf<{ words: number }>()
})

it('the compiler does not check a definition whose steps it does not know', () => {
  const definition = {} as Workflow
  expectTypeOf<OutputOf<typeof unchecked>>().toEqualTypeOf<Json>()
  const unchecked = defineWorkflow(definition, parts)
  const steps: Step[] = []
  expectTypeOf(defineWorkflow({ name: 'w', steps: [{ type: 'parallel', steps }] }, parts)).toBeObject()
})

it('each type of step requires its fields', () => {
  // @ts-expect-error -- an agent step requires a prompt
  defineWorkflow({ name: 'w', steps: [{ type: 'agent', agent: 'a' }] })
  // @ts-expect-error -- a repeat step requires maxTimes
  defineWorkflow({ name: 'w', steps: [{ type: 'repeat', steps: [], until: true }] })
  // @ts-expect-error -- a condition requires a known operator
  defineWorkflow({ name: 'w', steps: [{ type: 'if', condition: { equal: [1, 1] }, steps: [] }] })
})

type OutputOf<TAgent> = TAgent extends { readonly types?: { readonly output: infer TOutput } | undefined }
  ? TOutput extends WorkflowResult<infer TResult>
    ? TResult
    : never
  : never
