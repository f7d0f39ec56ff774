/** A fault that tests must notice. */
export interface Mutation {
  /** What is wrong with the product that has this fault. */
  readonly name: string
  readonly file: string
  /** The right code. Occurs exactly once in the file. */
  readonly from: string
  /** The faulty code. */
  readonly to: string
  /** Files with tests, of which one must fail. */
  readonly tests: readonly string[]
  /** Why no test can notice it. Such a fault is listed, but neither run nor counted. */
  readonly equivalent?: string
}

export declare const MUTATIONS: readonly Mutation[]
