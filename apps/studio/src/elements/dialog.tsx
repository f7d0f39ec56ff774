import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'

export interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog over the page. Escape and a press beside it close it. */
export function Dialog({ title, isOpen, onClose, children }: DialogProps) {
  return (
    <ModalOverlay
      className="veil"
      isDismissable
      isOpen={isOpen}
      onOpenChange={open => {
        if (!open) onClose()
      }}
    >
      <Modal className="dialog">
        <AriaDialog>
          <Heading slot="title">{title}</Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
