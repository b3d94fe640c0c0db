/// A register of people with different names.
pub fn accepts(register: &Register, _person: &Person) -> bool {
    differ(register)
}

fn differ(register: &Register) -> bool {
    let mut names: Vec<&str> = register.people.iter().map(|person| person.name.as_str()).collect();
    names.sort();
    names.windows(2).all(|pair| pair[0] != pair[1])
}
