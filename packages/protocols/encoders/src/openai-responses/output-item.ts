interface TextContent {
  readonly type: 'output_text'
  readonly text: string
  readonly annotations: readonly never[]
  readonly logprobs: readonly never[]
}

export interface MessageItem {
  readonly id: string
  readonly type: 'message'
  readonly status: 'in_progress' | 'completed' | 'incomplete'
  readonly role: 'assistant'
  readonly content: readonly TextContent[]
}

export interface ReasoningItem {
  readonly id: string
  readonly type: 'reasoning'
  readonly status: 'in_progress' | 'completed' | 'incomplete'
  readonly summary: readonly { readonly type: 'summary_text'; readonly text: string }[]
}

/** A call of a tool that the agent runs itself. */
export interface McpCallItem {
  readonly id: string
  readonly type: 'mcp_call'
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
  readonly name: string
  readonly arguments: string
  readonly server_label: string
  readonly approval_request_id: string | null
  readonly output: string | null
  readonly error: string | null
}

/** A call of a function that the client executes. */
export interface FunctionCallItem {
  readonly id: string
  readonly type: 'function_call'
  readonly status: 'in_progress' | 'completed' | 'incomplete'
  readonly call_id: string
  readonly name: string
  readonly arguments: string
}

export interface McpApprovalRequestItem {
  readonly id: string
  readonly type: 'mcp_approval_request'
  readonly name: string
  readonly arguments: string
  readonly server_label: string
}

/** An item in the output of a response. */
export type OutputItem = MessageItem | ReasoningItem | McpCallItem | FunctionCallItem | McpApprovalRequestItem

export function textContent(text: string): TextContent {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}
