/**
 * What guessing starts with: the best known passwords of eight letters or more, in English and in Mexican Spanish,
 * lower case. A short list, not a replacement for a list of breached passwords.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
00000000 000000000 0000000000 01234567 0123456789 11111111 111111111 1111111111 11223344 1122334455 12121212 12341234
123123123 12344321 12345678 123456789 1234567890 12345678910 123456789a 123456789q 12345678a 1234567a 1234567q 12345qwert
1234abcd 1234qwer 123abc123 123qwe123 123qweasd 123qwe123qwe 12qwaszx 13131313 147258369 159357456 1a2b3c4d 1password
1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 1qaz1qaz 20202020 22222222 31415926 33333333 44444444
55555555 66666666 741852963 77777777 789456123 7894561230 87654321 88888888 963852741 987654321 9876543210 99999999
999999999 a1234567 a12345678 a123456789 a1b2c3d4 a1b2c3d4e5 aa123456 aa12345678 aaaaaaaa abc12345 abc123456 abc123abc
abcd1234 abcd12345 abcdefgh abcdefg1 abcdefghi access14 admin123 admin1234 admin12345 admin123456 admin2024 admin2025
admin2026 adminadmin administrador administrator alejandra alejandro america1 americamx amorcito angelica aguilas1
asd123456 asdasdasd asdf1234 asdfasdf asdfghjk asdfghjkl asdfqwer asdqwe123 azertyuiop babygirl baseball baseball1
basketball bastardo batman123 bienvenido bienvenido1 bienvenida blink182 butterfly carolina cafetera camaleon changeme
changeme1 changeme123 charlie1 chivas123 chocolate chocolate1 claveclave clave123 clave1234 clave12345 computadora
computer computer1 contrasena contrasena1 contrasena123 contraseña contraseña1 contraseña123 cruzazul daniela1 default1
diamante dragon123 elefante estrella estrellita fernanda fernando football football1 fuckyou1 gabriela garfield guadalupe
guadalajara google123 hello123 hola1234 hola12345 hola123456 holahola holamundo iloveyou iloveyou1 iloveyou2 internet
jennifer jonathan juancarlos jordan23 jupiter1 kimberly letmein1 letmein123 liverpool1 lovelove manchester margarita
marlboro master123 mercedes mexico12 mexico123 mexico1234 mexico2024 mexico2025 mexico2026 mexicano michelle michael1
minecraft minombre monkey123 motorola mustang1 naruto123 newyork1 nicholas november p@ssw0rd p@ssword p@ssword1 pa$$w0rd
pa55word pass1234 pass12345 passw0rd passw0rd1 password password! password00 password01 password1 password1! password10
password11 password12 password123 password1234 password12345 password2 password2024 password2025 password2026 password21
password3 password7 password99 password@123 passwort patricia pepsicola pokemon1 pokemon123 popcorn1 princesa princesa1
princess princess1 pumasunam qazwsxedc qazwsx123 qwaszx123 qwer1234 qwerasdf qwerqwer qwert123 qwert1234 qwert12345
qwerty01 qwerty11 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty321 qwertyui qwertyuiop qwertyuiop1
realmadrid ricardo1 rockyou1 root1234 rootroot roberto1 s3cret123 samsung1 samsung123 scooby12 secret123 secreto1
secreto123 sebastian seguridad september servidor shadow123 sistemas slipknot snoopy123 soccer123 spiderman starwars
starwars1 sunshine sunshine1 superman superman1 superuser teamomucho teamo123 tequiero tequieromucho temporal temporal1
temporal123 test1234 test12345 testtest trustno1 undertaker usuario1 usuario123 usuario1234 valentina vanessa1 veracruz
veronica victoria volkswagen welcome1 welcome123 welcome2024 welcome2025 welcome2026 whatever whatever1 william1
windows1 xbox360x yankees1 zaq12wsx zaq1zaq1 zaq1xsw2 zxcvbnm1 zxcvbnm123 zzzzzzzz
`
    .trim()
    .split(/\s+/),
)
