import type { Json, JsonOf } from '@parley/core'

/** A mistake in a definition. The compiler shows its text, because no value of a definition has this type. */
export interface Problem<TText extends string> {
  readonly problem: TText
}

/** The types of the values that a step can use, by key: `topic`, `result`, `steps.draft`. `unknown` fits everywhere. */
export type TypeScope = Readonly<Record<string, unknown>>

/** Adds or replaces values. */
export type Seeing<TScope, TAdded> = {
  [TKey in keyof TScope | keyof TAdded]: TKey extends keyof TAdded
    ? TAdded[TKey]
    : TKey extends keyof TScope
      ? TScope[TKey]
      : never
}

/** The type of the value at a path, such as `result.title` or `steps.draft.output`. */
export type ValueAt<TScope, TPath extends string> = string extends TPath
  ? unknown
  : TPath extends `steps.${infer TName}.output.${infer TRest}`
    ? Follow<Root<TScope, `steps.${TName}`>, TRest>
    : TPath extends `steps.${infer TName}.output`
      ? Root<TScope, `steps.${TName}`>
      : TPath extends `${infer TRoot}.${infer TRest}`
        ? Follow<Root<TScope, TRoot>, TRest>
        : Root<TScope, TPath>

type Root<TScope, TKey extends string> = TKey extends keyof TScope ? TScope[TKey] : Problem<`'${TKey}' is unknown here`>

type Follow<T, TPath extends string> = [T] extends [Problem<string>]
  ? T
  : unknown extends T
    ? unknown
    : TPath extends `${infer TKey}.${infer TRest}`
      ? Follow<Member<NonNullable<T>, TKey>, TRest>
      : Member<NonNullable<T>, TPath>

type Member<T, TKey extends string> = [T] extends [never]
  ? null
  : T extends readonly (infer TItem)[]
    ? TKey extends `${number}`
      ? TKey extends keyof T
        ? T[TKey]
        : TItem | null
      : Problem<`'${TKey}' is not the index of an item`>
    : [OwnKey<T>] extends [never]
      ? Problem<`the value has no '${TKey}'`>
      : TKey extends OwnKey<T>
        ? T extends { readonly [TField in TKey]?: infer TValue }
          ? unknown extends TValue
            ? unknown
            : undefined extends TValue
              ? Exclude<TValue, undefined> | null
              : TValue
          : null
        : Problem<`the value has no '${TKey}'`>

/** The keys of all members of a union. */
type OwnKey<T> = T extends object ? keyof T & string : never

/** The type of a text with `{{path}}`: that of the value, if the text is only one placeholder. */
export type TextValue<TText extends string, TScope> = TText extends `{{${infer TPath}}}`
  ? TPath extends `${string}{{${string}`
    ? string
    : ValueAt<TScope, Trim<TPath>>
  : string

/** The text itself, or the problem of one of its placeholders. */
export type CheckText<TText, TScope> = TText extends string ? CheckRest<TText, TText, TScope> : TText

type CheckRest<TText, TRest extends string, TScope> = TRest extends `${infer TBefore}{{${infer TAfter}`
  ? TBefore extends `${string}\\`
    ? CheckRest<TText, TAfter, TScope>
    : TAfter extends `${infer TPath}}}${infer TOthers}`
      ? ValueAt<TScope, Trim<TPath>> extends infer TValue
        ? [TValue] extends [Problem<infer TProblem>]
          ? ProblemOr<TValue, `{{${TPath}}}: ${TProblem}`, CheckRest<TText, TOthers, TScope>>
          : CheckRest<TText, TOthers, TScope>
        : never
      : TText
  : TText

/** A value of the type `never` has no problem. */
type ProblemOr<TValue, TText extends string, TElse> = [TValue] extends [never] ? TElse : Problem<TText>

/** The type of data with placeholders. */
export type DataValue<TData, TScope> = Json extends TData
  ? unknown
  : TData extends string
    ? TextValue<TData, TScope>
    : TData extends object
      ? { -readonly [TKey in keyof TData]: DataValue<TData[TKey], TScope> }
      : TData

/** The data itself, with a problem at each text whose value does not fit `TExpected`. */
export type CheckData<TData, TExpected, TScope> = Json extends TData
  ? TData
  : TData extends string
    ? CheckText<TData, TScope> extends Problem<infer TProblem>
      ? Problem<TProblem>
      : Fits<TData, TextValue<TData, TScope>, TExpected>
    : TData extends readonly unknown[]
      ? { [TKey in keyof TData]: CheckData<TData[TKey], ItemOf<TExpected>, TScope> }
      : TData extends object
        ? { [TKey in keyof TData]: CheckMember<TData[TKey], TExpected, TKey, TScope> }
        : Fits<TData, TData, TExpected>

type CheckMember<TData, TExpected, TKey, TScope> = unknown extends TExpected
  ? CheckData<TData, unknown, TScope>
  : TKey extends OwnKey<TExpected>
    ? CheckData<TData, FieldOf<TExpected, TKey>, TScope>
    : Problem<`'${TKey & string}' is an unknown field`>

type FieldOf<TExpected, TKey extends string> = TExpected extends { readonly [TField in TKey]?: infer TValue }
  ? TValue
  : never

type ItemOf<TExpected> = unknown extends TExpected
  ? unknown
  : TExpected extends readonly (infer TItem)[]
    ? TItem
    : never

/** A schema may accept more than its own type: a date is given as a text. */
type Fits<TData, TValue, TExpected> = unknown extends TExpected
  ? TData
  : unknown extends TValue
    ? TData
    : [Lenient<TValue>] extends [TExpected | JsonOf<TExpected>]
      ? TData
      : Problem<'the type of this value does not fit'> & { readonly value: TValue; readonly expected: TExpected }

/** The type with a value that fits everywhere at each place whose type is unknown. */
type Lenient<T> = unknown extends T ? never : T extends object ? { [TKey in keyof T]: Lenient<T[TKey]> } : T

type Trim<TText extends string> = TText extends ` ${infer TRest}`
  ? Trim<TRest>
  : TText extends `${infer TRest} `
    ? Trim<TRest>
    : TText
