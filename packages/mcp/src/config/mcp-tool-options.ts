/** Which tools of a server are offered, and under which names. Names are the server's own unless said otherwise. */
export interface McpToolOptions {
  /** Offer only these. `*` stands for any characters. @default ['*'] */
  readonly allow?: readonly string[] | undefined
  /** Never offer these, even if allowed. `*` stands for any characters. @default [] */
  readonly deny?: readonly string[] | undefined
  /** The server's name for a tool → the name the model sees, taken as it is. @default {} */
  readonly rename?: Readonly<Record<string, string>> | undefined
  /** What stands before the name of a tool that is not renamed. @default `mcp__<server>__` */
  readonly prefix?: string | undefined
  /**
   * Offers two tools, `<prefix>tool_search` and `<prefix>tool_call`, in place of all, when all of them would take more
   * tokens than this of every request (estimated: 4 characters each). What is not allowed is not found either. Calls
   * through them count as `once`, because it is not known beforehand what is called. @default never
   */
  readonly searchAboveTokens?: number | undefined
  /** Called once for each tool whose name another tool already had. @default nothing is called */
  readonly onCollision?: ((collision: McpNameCollision) => void) | undefined
}

/** Two tools that came to the same name after sanitising and cutting. */
export interface McpNameCollision {
  readonly server: string
  /** The server's name for the tool that had to give way. */
  readonly tool: string
  /** The name it should have had. */
  readonly wanted: string
  /** The name it got. */
  readonly name: string
}
