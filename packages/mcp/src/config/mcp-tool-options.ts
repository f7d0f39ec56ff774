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
   * Largest number of tokens that the tools may take in every request (estimate: 4 characters per token). If they take
   * more, only two tools are offered: `<prefix>tool_search` and `<prefix>tool_call`. The search does not find tools
   * that are not allowed. Calls through `tool_call` have the effect `once`, because the called tool is not known
   * beforehand.
   * @default never
   */
  readonly searchAboveTokens?: number | undefined
  /** Called once for each tool whose name another tool already has. @default none */
  readonly onCollision?: ((collision: McpNameCollision) => void) | undefined
}

/** A tool that gets another name, because a tool with the wanted name exists already. */
export interface McpNameCollision {
  readonly server: string
  /** The server's name of the tool. */
  readonly tool: string
  /** The name that another tool already has. */
  readonly wanted: string
  /** The name that the tool got instead. */
  readonly name: string
}
