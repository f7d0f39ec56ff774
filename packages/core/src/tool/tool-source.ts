import type { Tool } from './tool.ts'

/** A source of tools, for example an MCP server or an OpenAPI document. */
export interface ToolSource extends AsyncDisposable {
  readonly name: string
  /** Returns the current tools. Connects to the source if necessary. */
  tools(options?: { readonly signal?: AbortSignal | undefined }): Promise<readonly Tool[]>
  /** Calls `listener` whenever the tools have changed. @returns A function that stops the notices. */
  onChange?(listener: () => void): () => void
}
