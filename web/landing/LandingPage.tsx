import { Audiences } from './Audiences.tsx'
import { Flow } from './Flow.tsx'
import { Closing, Footer, Header, SkipLink } from './Frame.tsx'
import { GetStarted } from './GetStarted.tsx'
import { Guarantee } from './Guarantee.tsx'
import { Hero } from './Hero.tsx'
import { Mexico } from './Mexico.tsx'
import { Pictures } from './Pictures.tsx'
import { Questions } from './Questions.tsx'
import { Roadmap } from './Roadmap.tsx'
import { Vision } from './Vision.tsx'

/** Drawn once, when the web is built: no state and no effects here. */
export const LandingPage = () => (
  <>
    <SkipLink />
    <Header />
    <main id="contenido" className="overflow-x-clip">
      <Hero />
      <Flow />
      <Pictures />
      <Audiences />
      <Guarantee />
      <Mexico />
      <GetStarted />
      <Vision />
      <Roadmap />
      <Questions />
      <Closing />
    </main>
    <Footer />
  </>
)
