// Outside the bundle: the content security policy allows no inline script.
;(() => {
  let choice = null
  try {
    choice = localStorage.getItem('theme')
    // Whoever is signed in goes on from the sign-in, and shall not see its form meanwhile.
    document.documentElement.toggleAttribute('data-signed-in', sessionStorage.getItem('accessToken') !== null)
  } catch {
    // Storage may be blocked; the system's choice then stands.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  // The sign-in as the server drew it: the application submits it once it takes over (typed-early.ts).
  document.addEventListener('submit', (event) => {
    if (!event.target.closest('[data-early]')) return
    event.preventDefault()
    event.target.setAttribute('aria-busy', 'true')
    event.submitter.textContent = 'Ingresando...'
  })
})()
