import * as z from 'zod'

const functionFields = {
  name: z.string(),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
}

/** A function as OpenAI's Responses API and AG-UI describe it. Only functions can be executed by the client. */
export const flatFunctionSchema = z.looseObject({
  type: z.literal('function', 'must be function: the client can only execute functions').nullish(),
  ...functionFields,
})

/** A function as chat completions describe it. */
export const nestedFunctionSchema = z.looseObject({
  type: z.literal('function', 'must be function: the client can only execute functions').nullish(),
  function: z.looseObject(functionFields),
})
