import * as z from 'zod'
import type { Json, JsonSchemaObject } from '@parley/core'
import { jsonSchema } from '@parley/core/schema'
import type { Expression } from '../expression/expression.ts'
import type { FailurePolicy, Step } from './step.ts'
import type { Workflow } from './workflow.ts'

const text = z.string().refine(given => given.trim() !== '', 'must not be empty')
/** Names are parts of paths, so they have no dots. */
const name = z.string().regex(/^[A-Za-z_][\w-]*$/, 'must be letters, digits, _ and -, and start with a letter or _')
const json = z.custom<Json>(given => jsonSchema.safeParse(given).success, 'must be JSON')
const record = z.record(z.string(), json)
const milliseconds = z.number().positive()
/** The compiler checks conditions, because it can name the place of the problem. */
const expression = z.custom<Expression>(given => given !== undefined, 'is missing')

const steps: z.ZodType<readonly Step[]> = z.lazy(() => z.array(step).min(1, 'must have at least one step'))
const failurePolicy: z.ZodType<FailurePolicy> = z.lazy(() =>
  z.union(
    [z.literal(['fail', 'continue']), z.strictObject({ run: steps })],
    "must be 'fail', 'continue' or { run: steps }",
  ),
)
const fields = { name: name.optional(), onFailure: failurePolicy.optional() }

const step: z.ZodType<Step> = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('agent'),
      ...fields,
      agent: text,
      prompt: text,
      variables: record.optional(),
      output: z
        .custom<JsonSchemaObject>(given => typeof given === 'object' && given !== null, 'must be a JSON Schema')
        .optional(),
    }),
    z.strictObject({ type: z.literal('tool'), ...fields, tool: text, input: record.optional() }),
    z.strictObject({ type: z.literal('sequence'), ...fields, steps, output: json.optional() }),
    z.strictObject({ type: z.literal('parallel'), ...fields, steps: z.array(step) }),
    z.strictObject({ type: z.literal('if'), ...fields, condition: expression, steps, else: steps.optional() }),
    z.strictObject({
      type: z.literal('map'),
      ...fields,
      over: text,
      as: name.optional(),
      steps,
      reduce: z.literal(['collect', 'first', 'majority']).optional(),
    }),
    z.strictObject({
      type: z.literal('repeat'),
      ...fields,
      steps,
      until: expression,
      maxTimes: z.int().min(1).max(1000),
    }),
    z.strictObject({
      type: z.literal('approval'),
      ...fields,
      prompt: text,
      roles: z.array(text).min(1, 'must name at least one role').optional(),
      timeoutMs: milliseconds.optional(),
      onRejected: steps.optional(),
      onTimeout: steps.optional(),
    }),
    z.strictObject({ type: z.literal('workflow'), ...fields, workflow: text, inputs: record.optional() }),
  ]),
)

export const workflowSchema: z.ZodType<Workflow> = z.strictObject({
  name: text,
  description: text.optional(),
  inputs: z.record(name, z.strictObject({ default: json.optional() })).optional(),
  steps,
  output: json.optional(),
  onFailure: failurePolicy.optional(),
  parallelLimit: z.int().min(1).optional(),
  timeoutMs: milliseconds.optional(),
  maxTokens: z.int().min(1).optional(),
  maxCost: z.number().positive().optional(),
})
