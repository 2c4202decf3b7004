import { theme } from '#web/shell/theme.ts'
import { themeLabel, themeSteps } from '#web/shell/theme-steps.ts'

theme.follow()
// The only script of the page: everything else on it is links.
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-theme-button]')) {
  const show = () => {
    button.dataset.themeButton = theme.choice()
    button.setAttribute('aria-label', themeLabel(theme.choice()))
  }
  button.addEventListener('click', () => theme.choose(themeSteps[theme.choice()].next))
  theme.subscribe(show)
  show()
}
