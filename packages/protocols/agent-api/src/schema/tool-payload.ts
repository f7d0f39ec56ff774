import * as z from 'zod'

const id = z.string().min(1)
const optionalText = z.string().nullish()

/** Data of `function_call`, `plugin_call` and `component_call`. `arguments` is JSON text. */
export const functionCallSchema = z.looseObject({ call_id: id, name: id, arguments: z.string() })
export type FunctionCall = z.infer<typeof functionCallSchema>

/** Data of the outputs of all kinds of calls. */
export const functionCallOutputSchema = z.looseObject({ call_id: id, name: optionalText, output: z.string() })
export type FunctionCallOutput = z.infer<typeof functionCallOutputSchema>

/** Data of `mcp_call`. */
export const mcpCallSchema = functionCallSchema.extend({ server_label: optionalText })
export type McpCall = z.infer<typeof mcpCallSchema>

/** Data of `mcp_list_tools`. */
export const mcpListToolsSchema = z.looseObject({
  id: z.string(),
  server_label: z.string(),
  tools: z.array(z.looseObject({ name: z.string(), description: optionalText, input_schema: z.unknown() })),
  error: optionalText,
})
export type McpListTools = z.infer<typeof mcpListToolsSchema>

/** Data of `mcp_approval_request`. `arguments` is JSON text. */
export const mcpApprovalRequestSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  arguments: z.string(),
  server_label: z.string(),
})
export type McpApprovalRequest = z.infer<typeof mcpApprovalRequestSchema>

/** Data of `mcp_approval_response`. */
export const mcpApprovalResponseSchema = z.looseObject({
  approval_request_id: z.string(),
  approve: z.boolean(),
  id: optionalText,
  reason: optionalText,
})
export type McpApprovalResponse = z.infer<typeof mcpApprovalResponseSchema>

/** The data schemas of the message types that prescribe one. */
export const toolPayloadSchemas: Readonly<Record<string, z.ZodType>> = {
  function_call: functionCallSchema,
  plugin_call: functionCallSchema,
  component_call: functionCallSchema,
  mcp_call: mcpCallSchema,
  function_call_output: functionCallOutputSchema,
  plugin_call_output: functionCallOutputSchema,
  component_call_output: functionCallOutputSchema,
  mcp_call_output: functionCallOutputSchema,
  mcp_list_tools: mcpListToolsSchema,
  mcp_approval_request: mcpApprovalRequestSchema,
  mcp_approval_response: mcpApprovalResponseSchema,
}
