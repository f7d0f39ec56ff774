/** The files a prompt may refer to. `nodeFiles` of `@parley/prompty/node` reads the machine's. */
export interface PromptyFiles {
  /**
   * The text of a prompt file.
   * @throws ParleyError `file-unreadable`.
   */
  readPrompt(path: string): Promise<string>
  /**
   * A file that a prompt, or an input of it, names: relative to the prompt's folder and inside the allowed roots.
   * @throws ParleyError `file-unreadable`, or `path-refused` for an absolute path, and for one that leads outside.
   */
  readReference(reference: string, options: { readonly from: string }): Promise<Uint8Array>
}
