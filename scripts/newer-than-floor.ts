// biome-ignore-all lint/correctness/noComponentHookFactories: the methods of a syntax visitor are named like components
import { type ESTree, parseSync, Visitor } from 'vite'
import { api, builtins, html, isTooNew } from './browser-floor.ts'

/** Whose methods are known by their name, whatever stands before the dot; those of the DOM are named like anything. */
const OWNERS = ['Array', 'ArrayBuffer', 'Iterator', 'Map', 'Promise', 'RegExp', 'Set', 'String', 'Uint8Array']
const OF_DOM = {
  Document: ['startViewTransition', 'caretPositionFromPoint'],
  Element: ['checkVisibility', 'getHTML', 'moveBefore', 'setHTML', 'setHTMLUnsafe', 'ariaNotify'],
  HTMLElement: ['showPopover', 'hidePopover', 'togglePopover', 'editContext'],
  HTMLDialogElement: ['requestClose'],
  HTMLInputElement: ['showPicker'],
}

/** A method is too new if none of its owners has had it for long. */
function isMethodTooNew(name: string): boolean {
  const found = [
    ...OWNERS.map((owner) => builtins[owner]?.[name]),
    ...Object.entries(OF_DOM).map(([owner, names]) => (names.includes(name) ? api[owner]?.[name] : undefined)),
  ].filter((each) => each !== undefined)
  return found.length > 0 && found.every(isTooNew)
}

/** Schemas have `union` and others of their own. */
const isSchema = (object: ESTree.Expression) => object.type === 'Identifier' && object.name === 'z'

/** What a file uses that a browser of the floor lacks; `thing?.()` asks first, and is a fallback. */
export function findNewer(file: string, code: string): string[] {
  const found = new Set<string>()
  const asked = new Set<number>()
  const asks = (callee: ESTree.Expression) => void asked.add(callee.start)
  const note = (name: string, start: number) => void (asked.has(start) || found.add(name))
  new Visitor({
    CallExpression: ({ callee, optional }) => void (optional && callee.type !== 'Super' && asks(callee)),
    MemberExpression: ({ object, property, computed, start }) => {
      if (computed || property.type !== 'Identifier') return
      const owner = object.type === 'Identifier' ? object.name : ''
      const { name } = property
      if (isTooNew(api[owner]?.[`${name}_static`] ?? builtins[owner]?.[name])) note(`${owner}.${name}`, start)
      else if (!(owner in builtins) && !isSchema(object) && isMethodTooNew(name)) note(`.${name}()`, start)
    },
    NewExpression: ({ callee }) => {
      if (callee.type === 'Identifier' && isTooNew(api[callee.name] ?? builtins[callee.name])) found.add(callee.name)
    },
    JSXOpeningElement: ({ name, attributes }) => {
      if (name.type !== 'JSXIdentifier' || !/^[a-z]/.test(name.name)) return
      for (const each of attributes) {
        if (each.type !== 'JSXAttribute' || each.name.type !== 'JSXIdentifier') continue
        const attribute = each.name.name.toLowerCase()
        const own = html.elements?.[name.name]?.[attribute]
        if (isTooNew(own ?? html.global_attributes?.[attribute])) found.add(`<${name.name} ${attribute}>`)
      }
    },
  }).visit(parseSync(file, code).program)
  return [...found]
}
