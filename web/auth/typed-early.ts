type Name = 'email' | 'password'

interface Typed extends Record<Name, string> {
  focused?: Name
}

const NOTHING: Typed = { email: '', password: '' }
let typed = NOTHING

/** What people type into the server-rendered sign-in before React takes over. */
export const typedEarly = {
  keep(page: Element) {
    const typedInto = (name: Name) => page.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.value ?? ''
    typed = { email: typedInto('email'), password: typedInto('password') }
    const name = document.activeElement?.getAttribute('name')
    if (name === 'email' || name === 'password') typed.focused = name
  },
  read: (): Typed => typed,
  /** Cleared, so that nobody who signs in later finds it. */
  forget() {
    typed = NOTHING
  },
}
