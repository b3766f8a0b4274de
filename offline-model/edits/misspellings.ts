/** Misspellings that are words nowhere, and what is meant; lower case. */
export const MISSPELLINGS: ReadonlyMap<string, string> = new Map(
  `
    absense:absence accesible:accessible accessable:accessible accidently:accidentally accomodate:accommodate accomodates:accommodates
    accomplised:accomplished accross:across acheive:achieve acheived:achieved acknowlege:acknowledge acording:according actualy:actually adddress:address
    additionaly:additionally additonal:additional adress:address adressed:addressed adresses:addresses agressive:aggressive algoritm:algorithm
    algorythm:algorithm allign:align alligned:aligned allready:already alowed:allowed alows:allows alreay:already alwasy:always ammount:amount
    analagous:analogous aparent:apparent aplication:application apparant:apparent appearence:appearance appication:application applicaton:application
    appropiate:appropriate apropriate:appropriate aquire:acquire aquired:acquired arbitary:arbitrary architechture:architecture arguement:argument
    arguements:arguments argumnet:argument asociated:associated assigment:assignment assocation:association assoicated:associated asume:assume
    asumes:assumes asynchonous:asynchronous asyncronous:asynchronous atempt:attempt atribute:attribute attatch:attach attatched:attached
    attibute:attribute attirbute:attribute authenication:authentication authenticaton:authentication authentification:authentication
    authorizaton:authorization automatially:automatically automaticaly:automatically automaticly:automatically avaiable:available availabe:available
    availble:available availible:available avaliable:available avilable:available backgroud:background basicly:basically becasue:because
    becomming:becoming becuase:because beetween:between befor:before begining:beginning beginnning:beginning behaivor:behavior behavoir:behavior
    beleive:believe betwen:between boundry:boundary brower:browser buisness:business bussiness:business calcuate:calculate calender:calendar
    cancelation:cancellation catagory:category certian:certain challange:challenge changable:changeable charachter:character charater:character
    charaters:characters chosing:choosing comand:command comands:commands comming:coming commited:committed commiting:committing comon:common
    compability:compatibility comparision:comparison compatability:compatibility compatable:compatible compatiblity:compatibility compleate:complete
    completly:completely compnent:component componenet:component componets:components conditon:condition conection:connection configration:configuration
    configuation:configuration configuraton:configuration configurtion:configuration connecton:connection connexion:connection consistancy:consistency
    consistant:consistent containes:contains containg:containing continous:continuous contorl:control controll:control contructor:constructor
    convience:convenience convinient:convenient corect:correct corectly:correctly coresponding:corresponding correspoding:corresponding
    cosntructor:constructor creats:creates curent:current currenly:currently currrent:current cusomize:customize dafault:default databse:database
    deafult:default decription:description defalut:default defautl:default definately:definitely definiton:definition defintion:definition defualt:default
    delimeter:delimiter depedencies:dependencies depedency:dependency dependancies:dependencies dependancy:dependency dependecies:dependencies
    dependecy:dependency depracated:deprecated descripton:description desgin:design desireable:desirable desription:description destory:destroy
    detremine:determine develoment:development developement:development developper:developer diferent:different differnt:different diffrent:different
    dificult:difficult direcory:directory direcotry:directory directoy:directory disapear:disappear documantation:documentation documenation:documentation
    documentaion:documentation documention:documentation dynamicaly:dynamically easilly:easily effecient:efficient efficent:efficient
    elemnt:element eligable:eligible embeded:embedded enabeld:enabled encapsualte:encapsulate encription:encryption endoint:endpoint enought:enough
    enpoint:endpoint enpoints:endpoints enviornment:environment enviroment:environment enviroments:environments environemnt:environment
    environmnet:environment equivalant:equivalent essentialy:essentially exaclty:exactly exammple:example exampel:example exapmle:example excecute:execute
    excpetion:exception excution:execution exection:execution exeption:exception exisiting:existing existance:existence exlcude:exclude exmaple:example
    expecially:especially experiance:experience explaination:explanation explicitely:explicitly explicitily:explicitly expresssion:expression
    exsiting:existing extenal:external extention:extension extentions:extensions familar:familiar featue:feature feild:field feilds:fields finaly:finally
    flexability:flexibility folllow:follow followin:following follwing:following folowing:following formated:formatted formating:formatting foward:forward
    fucntion:function fucntions:functions fuctionality:functionality funciton:function functionallity:functionality functionaly:functionally
    functon:function funtion:function funtions:functions futher:further futhermore:furthermore garantee:guarantee garanteed:guaranteed gaurantee:guarantee
    genarate:generate geneate:generate generaly:generally genrate:generate grammer:grammar guage:gauge guarentee:guarantee guarenteed:guaranteed
    guidlines:guidelines handeling:handling handfull:handful happend:happened heigth:height heirarchy:hierarchy helpfull:helpful hierachy:hierarchy
    hte:the identifer:identifier identifers:identifiers imediately:immediately immediatelly:immediately immediatly:immediately
    implemenation:implementation implementaion:implementation implemention:implementation implicitely:implicitly impliment:implement
    implmentation:implementation improvment:improvement incldue:include inclue:include incomming:incoming incompatability:incompatibility
    inconsistant:inconsistent incorect:incorrect independant:independent independantly:independently indiviual:individual infomation:information
    informaton:information infrastucture:infrastructure inital:initial initalize:initialize initilize:initialize inlcude:include inlcudes:includes
    instace:instance instalation:installation instaled:installed installaton:installation instanciate:instantiate instruciton:instruction
    instrutions:instructions integraton:integration interal:internal intergrate:integrate intergration:integration interupt:interrupt intially:initially
    intrinisic:intrinsic invokation:invocation irrelevent:irrelevant knowlege:knowledge langauge:language languge:language lanugage:language legth:length
    lengh:length lenght:length libary:library libraray:library likelyhood:likelihood liscense:license listenning:listening maintainance:maintenance
    maintainence:maintenance maintenence:maintenance managment:management mananger:manager manualy:manually mesage:message messgae:message
    messsage:message metdata:metadata middlware:middleware midleware:middleware millisecods:milliseconds minumum:minimum mispell:misspell
    mispelled:misspelled missmatch:mismatch modifed:modified modifiy:modify mulitple:multiple multipe:multiple mutliple:multiple namepsace:namespace
    neccesary:necessary neccessary:necessary necesary:necessary nessecary:necessary noticable:noticeable notifcation:notification
    notificaiton:notification occassion:occasion occassionally:occasionally occurance:occurrence occured:occurred occurence:occurrence
    occurences:occurrences occuring:occurring ommit:omit ommited:omitted optinal:optional optionnal:optional opton:option orginal:original ouput:output
    outout:output overide:override overriden:overridden overwriten:overwritten paramater:parameter paramaters:parameters parametes:parameters
    paramter:parameter paramters:parameters paremeter:parameter particuler:particular pased:passed pattren:pattern peform:perform perfomance:performance
    performace:performance permision:permission permisions:permissions permissons:permissions persistant:persistent plaform:platform platfrom:platform
    posibility:possibility posible:possible possiblity:possibility potentialy:potentially preceed:precede preceeding:preceding prefered:preferred
    prefering:preferring prefrence:preference presense:presence previosly:previously previouly:previously privilage:privilege priviledge:privilege
    probaly:probably procces:process proccess:process proces:process procesing:processing progams:programs programatically:programmatically
    programaticaly:programmatically propertys:properties propery:property propogate:propagate provde:provide provied:provide publically:publicly
    querys:queries quickstar:quickstart reccomend:recommend reccommend:recommend recieve:receive recieved:received recieves:receives recieving:receiving
    recomend:recommend recomended:recommended recommanded:recommended recources:resources recuring:recurring redirction:redirection refered:referred
    refering:referring referrence:reference refrence:reference registery:registry regsiter:register relavant:relevant releated:related relevent:relevant
    remeber:remember reponse:response reponses:responses repositiory:repository repositry:repository represenation:representation repsonse:response
    reqest:request reqeust:request requierd:required requirment:requirement requirments:requirements requred:required requst:request resouce:resource
    resouces:resources resourse:resource responce:response responsability:responsibility responsable:responsible retreive:retrieve retrive:retrieve
    retrived:retrieved retrun:return retuns:returns reutrn:return rountes:routes runing:running satisify:satisfy scedule:schedule schduled:scheduled
    secuirty:security securty:security sepcify:specify seperate:separate seperated:separated seperately:separately seperator:separator
    sequencial:sequential serivce:service serivces:services severals:several shold:should shoud:should similiar:similar simlar:similar simplier:simpler
    simultaneosly:simultaneously soley:solely somthing:something specfic:specific specifc:specific specifed:specified specificaly:specifically
    specificed:specified spefic:specific speficied:specified sperate:separate stategy:strategy statment:statement statments:statements stragety:strategy
    strenght:strength stringfy:stringify struture:structure stucture:structure subsequant:subsequent succeded:succeeded succesful:successful
    succesfully:successfully successfull:successful successfuly:successfully sucesfully:successfully sucess:success sucessful:successful
    sucessfully:successfully suport:support suported:supported supportted:supported suppport:support supress:suppress supressed:suppressed
    suprise:surprise surpress:suppress swich:switch synchonous:synchronous synchronus:synchronous syncronous:synchronous sytem:system sytnax:syntax
    taht:that teh:the temlate:template tempalte:template templete:template therfore:therefore thier:their thorugh:through threshhold:threshold
    throught:through thsi:this togehter:together tommorow:tomorrow tranform:transform transation:transaction transfered:transferred
    transfering:transferring trasaction:transaction trigered:triggered trigerred:triggered truely:truly tupple:tuple tyep:type udpate:update
    udpated:updated uncommited:uncommitted undefied:undefined underlaying:underlying unecessary:unnecessary unexpeced:unexpected
    unfortunatly:unfortunately uniqe:unique unneccessary:unnecessary unnecesary:unnecessary untill:until upate:update upgarde:upgrade usally:usually
    useage:usage usefull:useful usualy:usually utilites:utilities vaild:valid validaton:validation valididate:validate varable:variable varaible:variable
    variabe:variable varialbe:variable variales:variables verfication:verification verifed:verified verions:versions verison:version versoin:version
    visable:visible visiblity:visibility wether:whether whcih:which wheter:whether wich:which widht:width wiht:with withouth:without worklow:workflow
    writen:written writting:writing wrtie:write yeild:yield yeilds:yields
  `
    .trim()
    .split(/\s+/)
    .map(pair => pair.split(':') as [string, string]),
);
