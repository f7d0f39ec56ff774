import type { ReactNode } from 'react'

/** Says that there is nothing, and what to do next. */
export function Empty({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="empty">
      <strong>{title}</strong>
      <span>{children}</span>
    </div>
  )
}
