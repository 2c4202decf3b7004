import { useState } from 'react'

const STAYING = '[role=dialog]:not([data-beside]), [role=alertdialog]'

let chosenFrom: HTMLElement | null = null

/** The button of the menu whose item was chosen last. */
export const rememberMenu = (button: HTMLElement | null): void => {
  chosenFrom = button
}

/** The button of the menu that a dialog is opened from, where the focus returns when it closes. */
export const useMenuBehind = (): HTMLElement | null => useState(menuBehind)[0]

/**
 * Asked while the dialog mounts. The item that had the focus leaves with the menu, before or after that, so the dialog
 * would not know where the focus was.
 */
function menuBehind(): HTMLElement | null {
  const { activeElement, body } = document
  // Over a dialog that stays, a menu behind it cannot have the focus.
  const over = [...document.querySelectorAll(STAYING)].at(-1)
  if (over && !over.contains(chosenFrom)) return null
  const isLeaving = !activeElement || activeElement === body || activeElement.closest('[role=menu]') !== null
  return isLeaving || activeElement === chosenFrom ? chosenFrom : null
}

/** Of a double click: its first one opened the dialog, and this one met what lies around it. */
export const isSecondClick = (event: Event): boolean => event instanceof MouseEvent && event.detail > 1
