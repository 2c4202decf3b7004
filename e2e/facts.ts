import type { Locator, Page } from '@playwright/test'

/** What stands under this label in a detail or a row of figures. */
export const factOf = (scope: Page | Locator, label: string): Locator =>
  scope
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::dd')
