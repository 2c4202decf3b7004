import { CHOOSE_SHEET } from '#contract/imports.ts'
import type { Db } from '#db/connect.ts'
import { AppError, invalid } from '../http/errors.ts'
import { badFile } from './bad-file.ts'
import type { ChooseSheet } from './xlsx.ts'

const FILES = 20

interface Earlier {
  headers: string[][]
  sheets: string[]
}

/** Where the tables of the issuer's last files were: their headers, and the sheets that were read. */
export async function readEarlier(db: Db, issuerId: number): Promise<Earlier> {
  const files = await db
    .selectFrom('import')
    .select(['header', 'sheet'])
    .where('issuer_id', '=', issuerId)
    .where('mapping', 'is not', null)
    .orderBy('id', 'desc')
    .limit(FILES)
    .execute()
  return {
    headers: files.map(({ header }) => header as string[]),
    sheets: files.flatMap(({ sheet }) => sheet ?? []),
  }
}

/** The sheet that is asked for, else the only one, else the one read last; of several others a person says which. */
export function chooseSheet(asked: string | undefined, earlier: Earlier) {
  const chosen: { sheet: string | null; sheets: readonly string[] } = { sheet: null, sheets: [] }
  const choose: ChooseSheet = (sheets) => {
    const sheet = asked ?? (sheets.length > 1 ? earlier.sheets.find((name) => sheets.includes(name)) : sheets[0])
    if (!sheets.length) throw badFile('El archivo de Excel no tiene ninguna hoja visible')
    if (sheet === undefined) throw severalSheets(sheets)
    if (!sheets.includes(sheet)) throw invalid('sheet', `El archivo no tiene la hoja «${sheet}» entre las visibles`)
    Object.assign(chosen, { sheet, sheets })
    return sheet
  }
  return { chosen, choose }
}

const SHOWN = 10

function severalSheets(sheets: readonly string[]): AppError {
  const shown = sheets
    .slice(0, SHOWN)
    .map((name) => `«${name}»`)
    .join(', ')
  const more = sheets.length > SHOWN ? ` y ${sheets.length - SHOWN} más` : ''
  return new AppError(409, 'CHOOSE_SHEET', `${CHOOSE_SHEET}: ${shown}${more}`, { choices: [...sheets] })
}
