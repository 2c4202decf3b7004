/** The companies of the demonstration. All names, people, numbers and domains are invented. */
export interface DemoCompany {
  key: string
  company_name: string
  rfc: string
  address: string
  contact_name: string
  contact_phone: string
  contact_email: string
  url: string
  /** First name, last names and mailbox of each user. */
  people: readonly (readonly [first: string, last: string, mailbox: string])[]
}

export const issuers = [
  {
    key: 'altaluz',
    company_name: 'Banco Altaluz',
    rfc: 'BAL080512QJ7',
    address: 'Av. Paseo de los Tamarindos 384, piso 12, Bosques de las Lomas, 05120 Ciudad de México',
    contact_name: 'Rocío Villaseñor Ibarra',
    contact_phone: '+525550184420',
    contact_email: 'alianzas@altaluz.example',
    url: 'https://www.altaluz.example',
    people: [
      ['Rocío', 'Villaseñor Ibarra', 'emisor@demo.afluente.mx'],
      ['Julián', 'Arce Montaño', 'julian.arce@altaluz.example'],
    ],
  },
  {
    key: 'tlanextli',
    company_name: 'Tlanextli Pagos IFPE',
    rfc: 'TLA190304MX9',
    address: 'Calle Colima 219, Roma Norte, 06700 Ciudad de México',
    contact_name: 'Emiliano Cordero Pech',
    contact_phone: '+525550172931',
    contact_email: 'crecimiento@tlanextli.example',
    url: 'https://tlanextli.example',
    people: [['Emiliano', 'Cordero Pech', 'emiliano@tlanextli.example']],
  },
  {
    key: 'nogalera',
    company_name: 'Crédito Nogalera SOFOM ENR',
    rfc: 'CNO1406178R2',
    address: 'Blvd. Venustiano Carranza 3120, Villa Olímpica, 25230 Saltillo, Coahuila',
    contact_name: 'Graciela Treviño Sáenz',
    contact_phone: '+528440163308',
    contact_email: 'afiliados@nogalera.example',
    url: 'https://www.nogalera.example',
    people: [
      ['Graciela', 'Treviño Sáenz', 'graciela.trevino@nogalera.example'],
      ['Óscar', 'Lozano Reyna', 'oscar.lozano@nogalera.example'],
    ],
  },
  {
    key: 'caminollano',
    company_name: 'Financiera Camino Llano SOFOM ENR',
    rfc: 'FCL110928HT5',
    address: 'Av. Patria 1891, Puerta de Hierro, 45116 Zapopan, Jalisco',
    contact_name: 'Héctor Navarrete Solís',
    contact_phone: '+523350147765',
    contact_email: 'canales@caminollano.example',
    url: 'https://www.caminollano.example',
    people: [['Héctor', 'Navarrete Solís', 'hector.navarrete@caminollano.example']],
  },
] as const satisfies readonly DemoCompany[]

export const affiliates = [
  {
    key: 'comparaycuadra',
    company_name: 'Compara y Cuadra',
    rfc: 'CCU170223K30',
    address: 'Av. Vasco de Quiroga 3900, Santa Fe, 05348 Ciudad de México',
    contact_name: 'Daniela Quintanar Robles',
    contact_phone: '+525550139012',
    contact_email: 'alianzas@comparaycuadra.example',
    url: 'https://www.comparaycuadra.example',
    people: [
      ['Daniela', 'Quintanar Robles', 'afiliado@demo.afluente.mx'],
      ['Iván', 'Castellanos Mora', 'ivan@comparaycuadra.example'],
    ],
  },
  {
    key: 'pesoapesito',
    company_name: 'Peso a Pesito',
    rfc: 'PPE1809142L4',
    address: 'Calle 60 número 412, Centro, 97000 Mérida, Yucatán',
    contact_name: 'Ximena Canché Aguilar',
    contact_phone: '+529990125587',
    contact_email: 'hola@pesoapesito.example',
    url: 'https://pesoapesito.example',
    people: [['Ximena', 'Canché Aguilar', 'ximena@pesoapesito.example']],
  },
  {
    key: 'finanzasconlupa',
    company_name: 'Finanzas con Lupa',
    rfc: 'FLU200115P7A',
    address: 'Av. Universidad 118, Centro, 76000 Querétaro, Querétaro',
    contact_name: 'Rodrigo Becerril Luna',
    contact_phone: '+524420118843',
    contact_email: 'redaccion@finanzasconlupa.example',
    url: 'https://finanzasconlupa.example',
    people: [['Rodrigo', 'Becerril Luna', 'rodrigo@finanzasconlupa.example']],
  },
  {
    key: 'tuquincena',
    company_name: 'Tu Quincena Rinde',
    rfc: 'TQR150630J41',
    address: 'Av. Eugenio Garza Sada 2411, Tecnológico, 64700 Monterrey, Nuevo León',
    contact_name: 'Paola Garza Elizondo',
    contact_phone: '+528180156620',
    contact_email: 'comercial@tuquincenarinde.example',
    url: 'https://www.tuquincenarinde.example',
    people: [['Paola', 'Garza Elizondo', 'paola.garza@tuquincenarinde.example']],
  },
  {
    key: 'onceveinte',
    company_name: 'Agencia Once Veinte',
    rfc: 'AOV160811W26',
    address: 'Av. Chapultepec Sur 480, Americana, 44160 Guadalajara, Jalisco',
    contact_name: 'Bruno Saldívar Camacho',
    contact_phone: '+523350191174',
    contact_email: 'talento@onceveinte.example',
    url: 'https://onceveinte.example',
    people: [
      ['Bruno', 'Saldívar Camacho', 'bruno@onceveinte.example'],
      ['Renata', 'Ochoa Lizárraga', 'renata@onceveinte.example'],
    ],
  },
  {
    key: 'marchante',
    company_name: 'El Marchante Digital',
    rfc: 'EMD210419S51',
    address: 'Av. Juárez 2712, La Paz, 72160 Puebla, Puebla',
    contact_name: 'Lucero Tecuapetla Rojas',
    contact_phone: '+522220183346',
    contact_email: 'ofertas@marchantedigital.example',
    url: 'https://marchantedigital.example',
    people: [['Lucero', 'Tecuapetla Rojas', 'lucero@marchantedigital.example']],
  },
  {
    key: 'ruedas',
    company_name: 'Ruedas y Crédito',
    rfc: 'RCR131105D83',
    address: 'Blvd. Adolfo López Mateos 1502, Los Gavilanes, 37270 León, Guanajuato',
    contact_name: 'Arturo Mendiola Prado',
    contact_phone: '+524770162259',
    contact_email: 'contacto@ruedasycredito.example',
    url: 'https://www.ruedasycredito.example',
    people: [['Arturo', 'Mendiola Prado', 'arturo@ruedasycredito.example']],
  },
  {
    key: 'mafer',
    company_name: 'Mafer Olvera Contenido',
    rfc: 'OETF910726GH1',
    address: 'Calle Ignacio Zaragoza 77, Centro, 78000 San Luis Potosí, San Luis Potosí',
    contact_name: 'María Fernanda Olvera Tenorio',
    contact_phone: '+524440137781',
    contact_email: 'mafer@maferolvera.example',
    url: 'https://maferolvera.example',
    people: [['María Fernanda', 'Olvera Tenorio', 'colaboraciones@maferolvera.example']],
  },
] as const satisfies readonly DemoCompany[]

export type IssuerKey = (typeof issuers)[number]['key']
export type AffiliateKey = (typeof affiliates)[number]['key']

/** The operator's own people. */
export const administrators = [
  ['Alejandra', 'Montes Figueroa', 'admin@demo.afluente.mx'],
  ['Sergio', 'Paredes Lugo', 'sergio.paredes@afluente.example'],
] as const

/** Accounts that show the two other states of a user. */
export const formerPeople = [
  {
    first: 'Tomás',
    last: 'Rentería Cruz',
    mailbox: 'tomas.renteria@afluente.example',
    issuer: null,
    status: 'inactive',
  },
  {
    first: 'Karla',
    last: 'Fuentes Baeza',
    mailbox: 'karla.fuentes@nogalera.example',
    issuer: 'nogalera',
    status: 'suspended',
  },
] as const

/** The addresses of everybody in the demonstration. */
export const demoPeople = (): string[] => [
  ...[...issuers, ...affiliates].flatMap(({ people }) => people.map(([, , mailbox]) => mailbox)),
  ...administrators.map(([, , mailbox]) => mailbox),
  ...formerPeople.map(({ mailbox }) => mailbox),
]
