// Outside the bundle: the content security policy allows no inline script. In the words of 2009, or a browser that is too old
// would not read this far and show nothing, or a button that does nothing.
// biome-ignore-all lint/suspicious/noVar: see above
// biome-ignore-all lint/complexity/useArrowFunction: see above
// biome-ignore-all lint/complexity/useOptionalChain: see above
;(function () {
  var root = document.documentElement
  var choice = null
  try {
    choice = localStorage.getItem('theme')
    // Whoever is signed in goes on from the sign-in, and shall not see its form meanwhile.
    if (sessionStorage.getItem('accessToken') !== null) root.setAttribute('data-signed-in', '')
    else root.removeAttribute('data-signed-in')
  } catch (_) {
    // Storage may be blocked; the system's choice then stands.
  }
  var query = window.matchMedia && matchMedia('(prefers-color-scheme: dark)')
  var dark = choice === 'dark' || (choice !== 'light' && query && query.matches)
  root.setAttribute('data-theme', dark ? 'dark' : 'light')
  // The sign-in as the server drew it: the application submits it once it takes over (typed-early.ts).
  document.addEventListener('submit', function (event) {
    if (!event.target.closest('[data-early]')) return
    event.preventDefault()
    event.target.setAttribute('aria-busy', 'true')
    event.submitter.textContent = 'Ingresando...'
  })

  // Firefox 128 and Safari 16.4 have the first of these, Chrome 111 the second: the floor (D92, vite.config.ts).
  if (window.CSS && CSS.registerProperty && CSS.supports('color', 'oklch(0 0 0)')) return
  document.addEventListener('DOMContentLoaded', function () {
    var place = document.createElement('p')
    place.setAttribute('role', 'alert')
    place.style.cssText =
      'margin:0;padding:1em;background:#fff7d6;color:#3d2f00;font:16px/1.5 sans-serif;text-align:center'
    place.appendChild(
      document.createTextNode(
        'Tu navegador es anterior a lo que Afluente necesita: actual\u00edzalo, o entra con Chrome 111, Firefox 128 o Safari 16.4 en adelante.',
      ),
    )
    document.body.insertBefore(place, document.body.firstChild)
    // The application would not start; the landing page is text and stays.
    var application = document.getElementById('root')
    if (application) application.style.display = 'none'
  })
})()
