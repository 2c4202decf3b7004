import { expect, test } from 'vitest'
import { hostOf, readVisitor, truncateAddress, type Visitor } from './visitor.ts'

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const ANDROID = 'Mozilla/5.0 (Linux; Android 13; SM-A546E; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0'
const FACEBOOK_ANDROID =
  '[FBAN/FB4A;FBAV/567.1.0.52.74;FBBV/1;FBDM/{density=3.0,width=1080,height=2340};FBLC/es_MX;FBCR/TELCEL;FBMF/samsung;FBBD/samsung;FBPN/com.facebook.katana;FBDV/SM-S921B;FBSV/16;FBCA/arm64-v8a:;]'
const GUESSED = ['automated_guess']

test.for<[userAgent: string, kind: Visitor['kind'], family: string, flags?: string[]]>([
  [`${IPHONE} Version/17.0 Mobile/15E148 Safari/604.1`, 'person', 'Safari iOS'],
  [`${IPHONE} CriOS/126.0 Mobile/15E148 Safari/604.1`, 'person', 'Chrome iOS'],
  [`${IPHONE} GSA/284.0 Mobile/15E148 Safari/604.1`, 'person', 'Safari iOS'],
  [`${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/440.0.0;FBLC/es_LA]`, 'person', 'Facebook iOS'],
  [`${IPHONE} Mobile/15E148 Instagram 309.0 (iPhone14,5; iOS 17_0; es_MX)`, 'person', 'Instagram iOS'],
  [`${ANDROID} Chrome/119.0 Mobile Safari/537.36 Instagram 309.0.0.40.113 Android`, 'person', 'Instagram Android'],
  [
    `${ANDROID} Chrome/119.0 Mobile Safari/537.36 musical_ly_2022803040 BytedanceWebview/d8a`,
    'person',
    'TikTok Android',
  ],
  [`${ANDROID} SamsungBrowser/23.0 Chrome/115.0 Mobile Safari/537.36`, 'person', 'Samsung Internet Android'],
  [`${WINDOWS} Safari/537.36 Edg/126.0`, 'person', 'Edge Windows'],
  [`${WINDOWS} Safari/537.36 OPR/110.0`, 'person', 'Opera Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0', 'person', 'Firefox Linux'],
  ['', 'person', 'Otro', ['no_user_agent']],
  ['curl/8.5.0', 'person', 'Otro', ['automated']],
  ['node', 'person', 'Otro', ['automated']],
  ['python-requests/2.31', 'person', 'Otro', ['automated']],
  ['okhttp/4.12.0', 'person', 'Otro', ['automated']],
  [`${WINDOWS.replace('Chrome', 'HeadlessChrome')} Safari/537.36`, 'person', 'Chrome Windows', ['automated']],
  ['WhatsApp/2.23.20.0 A', 'preview', 'Otro'],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', 'preview', 'Otro'],
  ['TelegramBot (like TwitterBot)', 'preview', 'Otro'],
  ['Twitterbot/1.0', 'preview', 'Otro'],
  ['Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)', 'preview', 'Otro'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'bot', 'Otro'],
  ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'bot', 'Otro'],
  ['Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)', 'bot', 'Otro'],
  ['Mozilla/5.0 (compatible; SemrushBot-SI/0.97)', 'bot', 'Otro'],
  ['ia_archiver (+http://www.alexa.com/site/help/webmasters)', 'bot', 'Otro'],
  ['Pingdom.com_bot_version_1.4', 'bot', 'Otro'],
  ['Mozilla/5.0 (compatible; Baiduspider/2.0)', 'bot', 'Otro'],
  ['facebookexternalhit/1.1', 'preview', 'Otro'],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0; +https://openai.com/bot)',
    'bot',
    'Otro',
  ],
  [`${ANDROID.replace('SM-A546E', 'CUBOT X18')} Chrome/119.0 Mobile Safari/537.36`, 'person', 'Chrome Android'],
  [FACEBOOK_ANDROID, 'person', 'Facebook', GUESSED],
  [FACEBOOK_ANDROID.replace('TELCEL', 'AT&T MX'), 'person', 'Facebook'],
  [
    '[FBAN/FBIOS;FBAV/440.0.0;FBBV/1;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/17.0;FBSS/3;FBCR/;FBID/phone;FBLC/es_MX]',
    'person',
    'Facebook iOS',
    GUESSED,
  ],
  ['MiTienda/3.2.1', 'person', 'Otro', GUESSED],
  ['BancoEjemplo 5.2', 'person', 'Otro', GUESSED],
  ['Microsoft Office Existence Discovery', 'person', 'Otro', GUESSED],
  ['Microsoft Office Protocol Discovery', 'person', 'Otro', GUESSED],
  ['Microsoft Office Excel 2014', 'person', 'Otro', GUESSED],
  ['Microsoft Office Word 2014 (16.0.17328) Windows NT 10.0', 'person', 'Otro Windows', GUESSED],
  ['Mozilla/5.0 X', 'person', 'Otro', GUESSED],
])('%s', ([userAgent, kind, family, flags = []]) => {
  expect(readVisitor(userAgent)).toEqual({ kind, family, flags })
})

test.for([
  ['187.190.12.34', '187.190.12.0/24'],
  ['::ffff:187.190.12.34', '187.190.12.0/24'],
  ['2806:2f0:9000:abcd::1', '2806:2f0:9000::/48'],
  ['2806:2F0::1', '2806:2f0:0::/48'],
  ['::1', '0:0:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0::/48'],
  ['no es una dirección', ''],
  ['', ''],
] as const)('%s came from %s', ([address, network]) => {
  expect(truncateAddress(address)).toBe(network)
})

test.for([
  ['https://blog.example.mx/a?persona=ana', 'blog.example.mx'],
  ['android-app://com.whatsapp/', 'com.whatsapp'],
  ['%%%', ''],
  [undefined, ''],
] as const)('%s is of host %s', ([referer, host]) => {
  expect(hostOf(referer)).toBe(host)
})
