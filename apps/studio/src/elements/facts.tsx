import type { ReactNode } from 'react'

/** Names and values, in a row. A value that is `undefined` is left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode | undefined])[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}
