import { test } from './fixtures.ts'
import { sweepAsAdmin, sweepAsAffiliate, sweepAsIssuer, sweepAsVisitor } from './sweep.ts'

// Each screen and each dialog on a desk and on a phone.

test.setTimeout(3_600_000) // a whole walk, of a busy machine

for (const [who, sweep] of Object.entries({
  visitor: sweepAsVisitor,
  administrator: sweepAsAdmin,
  issuer: sweepAsIssuer,
  affiliate: sweepAsAffiliate,
}))
  test(`no screen of the ${who} keeps anybody out, scrolls sideways or complains, on a desk and on a phone`, async ({
    page,
    signIn,
    db,
    pair,
  }) => {
    await sweep({ page, signIn, db, pair }, true)
  })
