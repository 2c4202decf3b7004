type Name = 'email' | 'password'

interface Typed extends Record<Name, string> {
  focused: Name | undefined
  /** With Enter or the button; it waits since. */
  submitted: boolean
}

/** What people typed into the server-rendered sign-in, and submitted: it stands until React takes its place. */
export function typedEarly(): Typed {
  // Rendered at build time there is no document.
  const page = globalThis.document?.querySelector('[data-early]')
  const typedInto = (name: Name) => page?.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.value ?? ''
  const name = page && document.activeElement?.getAttribute('name')
  return {
    email: typedInto('email'),
    password: typedInto('password'),
    focused: name === 'email' || name === 'password' ? name : undefined,
    // public/before-paint.js marks it.
    submitted: Boolean(page?.querySelector('form[aria-busy]')),
  }
}
