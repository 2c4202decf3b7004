import { test } from './fixtures.ts'
import { sweepAsAdmin, sweepAsAffiliate, sweepAsIssuer, sweepAsVisitor } from './sweep.ts'

// Each screen has one look here, and both in e2e/sweep.all.test.ts.

test.setTimeout(1_200_000) // a whole walk, of a busy machine

for (const [who, sweep] of Object.entries({
  visitor: sweepAsVisitor,
  administrator: sweepAsAdmin,
  issuer: sweepAsIssuer,
  affiliate: sweepAsAffiliate,
}))
  test(`no screen of the ${who} keeps anybody out, scrolls sideways or complains`, async ({
    page,
    signIn,
    db,
    pair,
  }) => {
    await sweep({ page, signIn, db, pair }, false)
  })
