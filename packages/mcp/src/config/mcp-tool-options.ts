/** Tools of a server to offer, and their names. `allow`, `deny` and `rename` use the server's names. */
export interface McpToolOptions {
  /** Offers only these tools. `*` stands for any characters. @default ['*'] */
  readonly allow?: readonly string[] | undefined
  /** Never offers these tools, even if `allow` names them. `*` stands for any characters. @default [] */
  readonly deny?: readonly string[] | undefined
  /** Maps the server's name of a tool to the name that the model sees, without a prefix. @default {} */
  readonly rename?: Readonly<Record<string, string>> | undefined
  /** Prefix of the names of tools that are not renamed. @default `mcp__<server>__` */
  readonly prefix?: string | undefined
  /**
   * Offers two tools, `<prefix>tool_search` and `<prefix>tool_call`, instead of all tools if all of them would take more
   * than this number of tokens in every request (estimate: 4 characters a token). The search does not find tools that are
   * not allowed. Calls through `tool_call` have the effect `once`, because the called tool is not known beforehand.
   * @default never
   */
  readonly searchAboveTokens?: number | undefined
  /** Called once for each tool whose name another tool already has. @default none */
  readonly onCollision?: ((collision: McpNameCollision) => void) | undefined
}

/** A tool whose name was taken after sanitising and cutting. */
export interface McpNameCollision {
  readonly server: string
  /** The server's name of the tool. */
  readonly tool: string
  /** The name that was taken. */
  readonly wanted: string
  /** The name that the tool got instead. */
  readonly name: string
}
