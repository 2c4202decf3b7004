import { test } from './fixtures.ts'
import { expectLight, lists } from './script-bytes.ts'

const { payments: _, ...others } = lists

for (const list of Object.values(others))
  test(`${list.path} waits for at most as much script as promised, and fetches its dialogs afterwards`, async ({
    page,
    signIn,
  }) => {
    await signIn('admin')
    await expectLight(page, list)
  })
