/**
 * Words of five letters and more that documentation is made of: those that at least four of ten
 * well-known docs sites use more than once.
 */
export const WORDS: ReadonlySet<string> = new Set(
  `
ability about above absolute accept accepted accepting accepts access accessed accessibility accessible accessing accidental accidentally according accordingly account
accurate achieve achieved across action actions active actively actual actually adapt adapter adapters added adding addition additional additionally address addresses
addressing adjust admin advanced advantage advantages affect affected affecting affects after again against agent ahead alert algorithm alias aliases align allow allowed
allowing allows almost alone along alongside alpha alphabetically already alternative alternatives although always among amount analysis analytics analyze animate
animating animation annotate annotating annotation annotations announcement another answer answers anymore anything anyway anywhere appear appears append appending
applicable application applications applied applies apply applying approach approaches appropriate arbitrary architecture argument arguments around array arrays article
asking aspects assert assertions asset assets assign assigned assistive associated assume assumed assumes assumptions async asynchronous asynchronously attach attached
attaches attacks attempt attempting attempts attention attribute attributes audio audit augment augmentation authenticate authenticated authentication author
authorization authorized authors autocomplete automated automatic automatically available avatar avoid avoided avoiding avoids await awaited aware backend background
backward badge banner based basic basis batch because become becomes before begin beginning behave behaves behavior behaviors behind being believe belong belongs below
benefit benefits better between beyond binary binding bindings blank block blocked blocking blocks boilerplate boolean booleans border bottom bound boundaries boundary
braces branch branches brand break breaking bring brings broken brought browser browsers buffer build builder building builds built bundle bundled bundler bundlers
bundles bundling button buttons bypass bytes cache cached caches caching callable callback callbacks called caller calling calls cancel cannot canonical capabilities
capture captured captures careful carefully carries cases casing catch catches catching categories category caught cause caused causes causing center certain chain
chained challenges change changed changelog changes changing channel channels chapter character characters check checkbox checked checking checks child children choice
choose choosing chosen chunk chunks circumstances clarify class classes clean cleanup clear clearly click clicked clicking clicks client clients clone close closed
closely closer closes closest closing codebase codes coding collaborate collect collection color colors column combination combinations combine combined combines
combining comes coming command commands commas comment comments commit commits committed common commonly communicate communication community companies compare compared
comparing comparison compatibility compatible compilation compile compiled compiler compiling complete completed completely completes completion complex complexity
complicated component components composable compose comprehensive compression compute computed concept concepts concern concerns concrete concurrent concurrently
condition conditional conditionally conditions config configurable configuration configurations configure configured configuring confirm conflict conflicting conflicts
conforms confusing confusion connect connected connecting connection connections consecutive consider consideration considerations considered consistency consistent
consistently consists console const constant constants constraints construct constructor consult consume consumed consumer consumers contain contained container
containers containing contains content contents context contexts continue continues continuing continuous contract contrast contribute contributing contribution
contributions contributor contributors control controlled controlling controls convenience convenient convention conventions convert converted converting converts cookie
cookies copied copies copying corner correct correctly correspond corresponding corresponds could count counter couple course cover coverage covered covers crafted crash
create created creates creating creation credentials criteria critical current currently custom customize customized cycle dashboard database databases dealing debug
debugger debugging decide decided decisions declaration declarations declarative declaratively declare declared declares declaring decode decoded dedicated deeper deeply
default defaults defer define defined defines defining definition definitions delay delegate delete deleted deliver demand demonstrates depend dependencies dependency
depending depends deploy deployed deploying deployment deployments deprecate deprecated deprecation depth derived describe described describes describing description
descriptions descriptive design designed desirable desired desktop destroyed destructuring detached detail detailed details detect detected detection detects determine
determined determines determining develop developed developer developers developing development device devices devtools dialog differ difference differences different
differently differs difficult direct direction directive directives directly directories directory disable disabled disables disabling discard discover discovered
discovery discuss discussed discussion discussions dispatched display displayed displaying displays distinct distinguish distribute distribution document documentation
documented documents doesn doing domain domains double download downloaded downloads driver duplicate duplicated duration during dynamic dynamically eagerly earlier early
easier easiest easily ecosystem editing editor editors effect effective effectively effects efficient efficiently effort efforts either element elements elsewhere email
embedded emits emitted emitting empty enable enabled enables enabling encapsulate encoded encoding encounter encountered encourage encrypted ending endpoint endpoints
enforce engine engines enhance enhanced enhancement enhancing enjoy enough ensure ensures ensuring enter entering enters entire entirely entities entity entries entry
entrypoint environment environments equal equally equivalent error errors esbuild escape escaped especially essential essentially evaluate evaluated event events
eventually every everyone everything everywhere exact exactly example examples exceeds excellent except exception exceptions exclude excluded excluding exclusively
execute executed executes executing execution exist existing exists exits expand expect expected expects expensive experience experimental expiration expired explain
explanation explicit explicitly explore export exported exporting exports expose exposed exposes exposing express expression expressions extend extended extending extends
extension extensions extensive external extra extract extracted extremely factory failed failing fails failure failures fallback fallbacks false familiar family fashion
faster favor feature features feedback fetch fetched fetches fetching fewer field fields figure filename filenames files filesystem filter filters final finally finds
finish finished finishes fired fires first fixed fixes fixing flags flattened flexibility flexible focus focused folder folders folks follow followed following follows
fonts footer force forget format formats formatted formatting forms forum forward forwarded forwarding found framework frameworks frequently fresh friend front frontend
fully function functional functionality functions further future general generally generate generated generates generating generation generator generic getter getters
getting github given gives giving global globally globals going graph great greater greatly group grouped groups growing grows guarantee guaranteed guard guidance guide
guidelines guides handle handled handler handlers handles handling handy happen happening happens happy hashed hashing haven having header headers heading heavily height
helped helper helpers helpful helping helps hidden hierarchy higher highlight highlighting highly history hoisting holds homepage hooks hosted hosting hostname hosts
hours hover however hybrid hydrate hydrated hydrating hydration icons ideal ideally identical identified identifier identifiers identify identifying identity iframe
ignore ignored illustrates image images immediate immediately immutable impact imperative implement implementation implementations implemented implementing implements
implicit implicitly import important imported importing imports impossible improve improved improvements improves improving inactive include included includes including
incoming incompatible inconsistent incorrect incorrectly increase incremental independent independently index indicate indicates indicating indicator indicators
individual individually infer inference inferred infers infinite information infrastructure inherit inherited initial initialization initialize initialized initializing
inject injected injecting injection inline inlined inner input inputs insert inside inspect inspired install installation installed installing instance instances instead
instructions instructs integer integrate integrated integrates integrating integration integrations intend intended intentionally interact interacting interaction
interactions interactive intercept interested interesting interface interfaces intermediate internal internally interpreted introduce introduced introduces introducing
introduction intuitive invalid invalidate invalidated invalidation invocation invoke invoked involve involved involves isolated isolation issue issued issues items itself
keeping keeps keyboard keyword keywords knowledge known knows label labels language languages large largely larger later latest launch layer layers layout lazily leading
leads leaking learn learned learning least leave leaves leaving legacy length level levels leverage leveraging libraries library license lifecycle lifetime light
lightweight likely limit limitation limitations limited limits lines linked links linter linting listed listen listener listeners listening listens lists literal literals
little lives loaded loader loading loads local locally locate located location locations logged logger logging logic logical login longer looking looks loops lower
lowercase machine magic maintain maintainable maintained maintainers maintaining maintains maintenance major majority makes making malformed malicious manage managed
management manager manages managing manipulate manipulating manipulation manner manual manually mapping margin markdown marked marketing marks markup match matched
matches matching matter maximum maybe meaning means meant mechanism media meets member members memory mentioned merge merged merging message messages metadata method
methods metrics middleware middlewares might migrate migrating migration milliseconds mindful minified minimal minimize minimum minor minutes mirror mismatch missing
mixed mobile modal model models modern modes modification modified modify modifying modular module modules moment monitoring monorepo months mostly motivation mount
mounted mounting mounts moved moving multiple mutate mutated mutating mutation mutations named names namespace namespaces naming narrow native natively nature navigate
navigates navigating navigation navigations nearest necessary needed needing needs neither nested nesting network networks never newer newly nodes nonce normal normalize
normally notable notation noted notes nothing notice notifications notify number numbers numeric object objects obtain obvious occur occurred occurs offer offers official
officially offline offset often older omitted ongoing online opened opening opens operate operates operation operations operator opinionated opportunity optimal
optimization optimizations optimize optimized option optional optionally options order ordering organization organize organized origin original originally origins other
others otherwise outdated output outside overall overhead overload overridden override overrides overriding overview overwrite package packages pages pagination pairs
panel paradigm parallel param parameter parameters params parent parse parsed parser parsing partial partially participate particular particularly partners parts party
passed passes passing password paste patch pathname paths pattern patterns pause payload pending people perfectly perform performance performant performed performing
performs period permission permissions persist persisted persistent person perspective phase phases photo physical picture piece pieces pipeline pipelines place placed
placeholder placeholders placement places placing plain platform platforms playground please plugin plugins point pointing points policies policy popular populate
position positive possible possibly posts potential potentially power powered powerful practice practices precedence precise predefined prefer preference preferred
prefetch prefetching prefix prefixed preload preloading prepare presence present preserve preserved preserving preset press pressed pretty prevent preventing prevents
preview previous previously primarily primary primitive primitives principles print prior priority private probably problem problems process processed processes
processing produce produced produces product production products profile program programmatically programming progress progressive project projects promise promises
prompt prompts propagate proper properly properties property proposal props protect protected protection protocol prototype prove provide provided provider providers
provides providing proxies proxy public publicly publish published publishing purpose purposes putting quality queries query question questions queue quick quickly quite
quote quotes radio random range rather reach reached reaches react reactive reactivity readable reader readers reading reads ready really reason reasons rebuild receive
received receives receiving recent recently recognize recommend recommendations recommended recommends record recorded redirect redirected redirecting redirects reduce
reduces reducing redundant refactor refer reference referenced references referencing referred refers reflect reflected reflects refresh regarding regardless regards
regex region register registered registering registers registration registry regression regular reject rejected rejection rejects related relationship relative relatively
release released releases relevant reliable relies reload reloads relying remain remaining remains remember remote removal remove removed removes removing rename renamed
render rendered renderer rendering renders repeat repeated replace replaced replacement replaces replacing report reported reporting reports repositories repository
represent representation represented representing represents reproduce reproduction request requested requesting requests require required requirement requirements
requires requiring rerun reserved reset resets resolution resolve resolved resolves resolving resource resources respect respected respective respectively respond
responds response responses responsibility responsible responsive restart restarting restarts restore restored restrict restricted restrictions result resulting results
retain retries retrieve retrieved retrieving retry return returned returning returns reusable reuse reused reusing reverse revert review reviews rewrite rewrites right
robust route router routers routes routing rules runner running runtime runtimes safely safety sample satisfy saved scalable scale scenario scenarios schedule scheduled
schema schemas scheme scope scoped scopes scratch screen screens script scripts scroll seamless seamlessly search searching second seconds secret secrets section sections
secure securely security seeing segments select selected selector selectors semantics semver sending sends sense sensitive separate separated separately sequence
sequentially serializable serialization serialize serialized series serve served server serverless servers serves service services serving session setting settings setup
setups several shape shaped share shared sharing shell shift shipped shipping ships short shortcut shorter shorthand should shouldn showing shown shows sibling sidebar
signal signals signature signed significant significantly similar similarly simple simpler simplest simplified simplify simply simulate since single sites situation
situations sizes skipped skips slash slashes slightly slower small smaller smooth snapshot snapshots snippet social socket software solid solution solutions solve solves
someone something sometimes somewhere sooner source sources space spaces special specific specifically specification specifications specified specifies specify specifying
speed spinner split splitting spread srcset stability stable stack stage stages stale standalone standard standards start started starter starting starts startup state
statement statements states static statically status stays steps still stopped storage store stored stores storing story straightforward strategies strategy stream
streaming streams strict strictly string strings strip stripped strongly structure structured structures style styles stylesheet styling subject submission submissions
submit submitted submitting subscribe subscription subscriptions subsequent subset succeeds success successful successfully sufficient suffix suggest suggestions suitable
suite summary supply support supported supporting supports suppose suppress svelte switch switching synchronous synchronously syntax system systems table tagged taken
takes taking target targeting targets tasks tbody teams technical technically technique techniques technologies technology tedious telling tells template templates
templating temporarily temporary terminal terms tested testing tests thank thanks their theme themselves there therefore these thing things think third those though
thousands thread threads three through throughout throw throwing thrown throws timeout timer timers times timestamp timing title today todos together toggle toggles token
tokens tooling tools topics total towards trace track tracked tracking tracks traditional traffic trailing transfer transform transformation transformations transformed
transforms transition transitions translated translation translations traversal treat treated treats tried tries trigger triggered triggering triggers trivial trust
trusted truthy trying tsconfig turns tutorial twice typed types typescript typical typically typing typings typos uncaught unchanged undefined under underlying understand
understanding unexpected unhandled unified union unique unknown unless unlike unlikely unmount unnecessary until unused unwanted update updated updates updating upgrade
upgrading upload upper usage useful username users using usual usually utilities utility utilize valid validate validated validates validating validation validations
validator validators valuable value values vanilla variable variables variety various verbose verify version versions video videos viewport views violate virtual
visibility visible visit visits visual vulnerabilities vulnerability waiting walkthrough wanted warning warnings watch watcher watching waterfalls webpack website
websites welcome whatever whenever where wherever whether which while whole whose widely width wildcard window wiring within without words workaround worked worker
workers workflow working works workspace world worry worse worth would wouldn wrapped wrapper wrappers wrapping wraps write writes writing written wrong wrote years
yields yourself
`
    .trim()
    .split(/\s+/),
);
