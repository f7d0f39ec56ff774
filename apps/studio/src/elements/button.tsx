import type { ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components'

export interface ButtonProps {
  readonly children: ReactNode
  readonly onPress?: (() => void) | undefined
  readonly kind?: 'plain' | 'first' | 'danger' | 'bare' | undefined
  readonly type?: 'button' | 'submit' | undefined
  readonly isDisabled?: boolean | undefined
  /** Name for screen readers, if the content is not a text. */
  readonly name?: string | undefined
}

/** A button. */
export function Button(props: ButtonProps) {
  const { children, onPress, kind = 'plain', type = 'button', isDisabled = false, name } = props
  return (
    <AriaButton
      className={`button ${kind}`}
      type={type}
      isDisabled={isDisabled}
      {...(onPress === undefined ? {} : { onPress })}
      {...(name === undefined ? {} : { 'aria-label': name })}
    >
      {children}
    </AriaButton>
  )
}
