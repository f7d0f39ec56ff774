import type { InputFilter, Json, Middleware, Model, Tool, ToolSource } from '@parley/core'
import type { EventHandler } from './config-services.ts'
import type * as z from 'zod'
import type { WorkspaceData } from '../schema/service-schema.ts'

/** The options of a part: the fields of its entry in the file, without `type`. */
export type PartOptions = Readonly<Record<string, Json>>

/** The context in which a part is made: its name, the folder of the file, the workspace, and the models. */
export interface PartContext {
  /** The name of the entry. */
  readonly name: string
  /** Folder in which relative paths start. @default the working directory */
  readonly folder: string | undefined
  /** The section `workspace`. */
  readonly workspace: WorkspaceData | undefined
  /**
   * Finds a model by its name.
   * @param field The option that names it, for the error.
   */
  model(field: string, name: string): Model | undefined
}

/** A kind of part that a configuration may use by its type. */
export interface PartType<TPart> {
  /** Schema of the options. One error shows everything that does not match it. @default every option is passed on */
  readonly options?: z.ZodType | undefined
  /**
   * Makes the part. It may load a package first. It starts nothing and sends no request.
   * @throws ParleyError `config-invalid` with the path of an invalid option.
   */
  make(options: PartOptions, context: PartContext): TPart | Promise<TPart>
}

/** Tools that agents name together. */
export type ToolsetType = PartType<readonly (Tool | ToolSource)[]>

/**
 * Makes a middleware, alone or with the input filters and tools that it needs. An agent that names the middleware gets
 * them too.
 */
export type MiddlewareType = PartType<Middleware | MiddlewareParts>

export interface MiddlewareParts {
  readonly middleware: Middleware
  /** Input filters that the middleware needs. @default none */
  readonly inputFilters?: readonly InputFilter[] | undefined
  /** Tools that the middleware needs. @default none */
  readonly tools?: readonly Tool[] | undefined
  /** Objects that are closed with the runtime. @default none */
  readonly resources?: readonly AsyncDisposable[] | undefined
}

export type InputFilterType = PartType<InputFilter>

/** A receiver of bus events. */
export type SubscriberType = PartType<EventHandler>
