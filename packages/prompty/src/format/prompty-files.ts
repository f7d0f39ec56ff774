/** Reads the files that prompts refer to. `createNodeFiles` of `@parley/prompty/node` reads the file system. */
export interface PromptyFiles {
  /**
   * Reads the text of a prompt file.
   * @throws ParleyError `file-unreadable`.
   */
  readPrompt(path: string): Promise<string>
  /**
   * Reads a file that a prompt or an input names. The path is relative to the prompt's folder and inside the allowed roots.
   * @throws ParleyError `file-unreadable`; `path-refused` if the path is absolute or leads out of the roots.
   */
  readReference(reference: string, options: { readonly from: string }): Promise<Uint8Array>
}
