/** Infers the type that a JSON Schema written `as const` describes. Supports the keywords that this package's tools use. */
export type InferInput<TSchema> = TSchema extends { readonly enum: readonly (infer TOption)[] }
  ? TOption
  : TSchema extends { readonly type: 'string' }
    ? string
    : TSchema extends { readonly type: 'integer' | 'number' }
      ? number
      : TSchema extends { readonly type: 'boolean' }
        ? boolean
        : TSchema extends { readonly type: 'array'; readonly items: infer TItem }
          ? readonly InferInput<TItem>[]
          : TSchema extends { readonly type: 'object'; readonly properties: infer TProperties }
            ? InferObject<TProperties, RequiredOf<TSchema>>
            : unknown

type RequiredOf<TSchema> = TSchema extends { readonly required: readonly (infer TKey)[] } ? TKey : never

type InferObject<TProperties, TRequired> = {
  readonly [TKey in keyof TProperties as TKey extends TRequired ? TKey : never]: InferInput<TProperties[TKey]>
} & {
  readonly [TKey in keyof TProperties as TKey extends TRequired ? never : TKey]?:
    | InferInput<TProperties[TKey]>
    | undefined
}
