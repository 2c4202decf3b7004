import { checkDigit } from '#server/companies/rfc.ts'
import type { DemoCompany } from '#server/demo/companies.ts'

/** The domain of their addresses, which no other company has. */
export const DOMAIN = 'red.example'

const WORDS = [
  ...['Ahuehuete', 'Alondra', 'Amate', 'Arrayán', 'Bahía', 'Bugambilia', 'Cantera', 'Cardón', 'Ceiba', 'Cenote'],
  ...['Colibrí', 'Copal', 'Encino', 'Garza', 'Guayacán', 'Huizache', 'Jacaranda', 'Jícara', 'Laguna', 'Manglar'],
  ...['Maguey', 'Mezquite', 'Milpa', 'Nopal', 'Ocote', 'Ocotillo', 'Oyamel', 'Parota', 'Peñasco', 'Pochote'],
  ...['Quelite', 'Quetzal', 'Sabino', 'Sotol', 'Tepetate', 'Tezontle', 'Toronjil', 'Vainilla', 'Yuca', 'Zempasúchil'],
]
const KINDS = {
  issuer: ['Banco', 'Financiera', 'Crédito', 'Tarjetas'],
  affiliate: ['Guía', 'Compara', 'Radar', 'Club', 'Brújula', 'Cupones', 'Revista', 'Canal'],
}

export type Company = Omit<DemoCompany, 'key' | 'people'>

/** The index-th of its kind; no two share a name or an RFC. */
export function companyOf(kind: keyof typeof KINDS, index: number): Company {
  const word = WORDS[(index * 7) % WORDS.length] as string
  const series = Math.floor(index / WORDS.length)
  const type = KINDS[kind][(index + series) % KINDS[kind].length] as string
  const slug = `${type}-${word}-${index + 1}`
    .normalize('NFD')
    .replace(/[^\w-]/g, '')
    .toLowerCase()
  return {
    company_name: series < KINDS[kind].length ? `${type} ${word}` : `${type} ${word} ${index + 1}`,
    rfc: rfcOf(kind, index),
    address: `Av. ${word} ${100 + index}, 06600 Ciudad de México`,
    contact_name: `Alianzas ${word}`,
    contact_phone: `+5255${String(70_000_000 + index)}`,
    contact_email: `alianzas@${slug}.${DOMAIN}`,
    url: `https://${slug}.${DOMAIN}`,
  }
}

function rfcOf(kind: keyof typeof KINDS, index: number): string {
  const letters = kind === 'issuer' ? 'RDE' : 'RDA'
  const founded = `${String(index % 20).padStart(2, '0')}0101`
  const series = index.toString(36).toUpperCase().padStart(2, '0')
  const body = `${letters}${founded}${series}`
  return body + checkDigit(`${body}0`)
}
